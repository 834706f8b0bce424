/** The page's files, which the build puts into leap's own (rolldown.config.mjs, `page`): JSON, in Brotli and base64. */
declare module "leap:page" {
  export const packed: string
}
