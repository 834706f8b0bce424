export declare const directExports: (code: string) => string
