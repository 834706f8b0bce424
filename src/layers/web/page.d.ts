/** The page's files, which the build puts into leap's own (rolldown.config.mjs, `page`). */
declare module "leap:page" {
  export const files: ReadonlyArray<readonly [string, { readonly type: string; readonly body: string }]>
}
