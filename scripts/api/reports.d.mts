interface Made {
  readonly file: string
  readonly text: string
}
export declare const reportsNow: (root: string) => ReadonlyArray<Made>
export declare const pagesNow: (root: string) => ReadonlyArray<Made>
