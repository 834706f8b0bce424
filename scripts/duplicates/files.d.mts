export declare const filesOf: (root: string) => ReadonlyArray<readonly [name: string, text: string]>
