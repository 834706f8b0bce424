export interface Duplicate {
  readonly places: ReadonlyArray<{ readonly file: string; readonly line: number }>
  readonly lines: number
}
export declare const findDuplicates: (
  files: ReadonlyArray<readonly [name: string, text: string]>
) => Promise<ReadonlyArray<Duplicate>>
export declare const byPair: (found: ReadonlyArray<Duplicate>) => Readonly<Record<string, number>>
export declare const problemsOf: (
  found: ReadonlyArray<Duplicate>,
  known: Readonly<Record<string, number>>
) => ReadonlyArray<string>
