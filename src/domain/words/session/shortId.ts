const shortLength = 5

/** The end of a message's id, by which people name it: positions change, and ids begin alike. */
export const shortId = (id: string): string => id.slice(-shortLength)
