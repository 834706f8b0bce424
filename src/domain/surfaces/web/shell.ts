/** A header of leap's own files, by which the page's service worker tells them from another server's. */
export const shellHeader = "leap-shell"

/** How the names of its caches begin: an origin may have several pages, below one another's paths. */
export const shellCaches = (scope: string): string => `leap-shell ${new URL(scope).pathname} `
