/** A package of a release, as its document names it. */
interface Component {
  readonly type: "library" | "platform"
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: ReadonlyArray<unknown>
  readonly hashes?: ReadonlyArray<unknown>
}

interface NamedPackage {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly integrity?: string
}

interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export const sbomOf: (
  own: NamedPackage,
  packages: ReadonlyArray<NamedPackage>
) => {
  readonly metadata: { readonly component: { readonly "bom-ref": string } }
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<unknown>
}

export const closureOf: (
  lock: { readonly packages: Readonly<Record<string, LockedPackage>> },
  names: ReadonlyArray<string>,
  isWanted: (place: string, its: LockedPackage) => boolean
) => ReadonlyArray<string>
