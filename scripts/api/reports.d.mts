interface Made {
  readonly file: string
  readonly text: string
}
export declare const exportsNow: (root: string) => {
  readonly reports: ReadonlyArray<Made>
  readonly pages: ReadonlyArray<Made>
}
