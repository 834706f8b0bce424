export declare const reportsNow: (root: string) => ReadonlyArray<{ readonly file: string; readonly text: string }>
