type Read = (file: string) => string | null
export declare const reportOf: (entry: string, read: Read) => ReadonlyArray<string>
export declare const pageOf: (title: string, entry: string, read: Read, aboutOf: Read) => string
