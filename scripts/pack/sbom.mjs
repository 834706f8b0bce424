// What is in a release, as a CycloneDX document: what is bundled, what is installed beside it, and the Node inside.

/** A name in a purl: the scope's @ is escaped, as npm's type asks. */
const purl = ({ name, version }) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`

const licences = (license) =>
  license === undefined
    ? {}
    : { licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }] }

/** The hash by which the lock file knows a package: of its tarball. */
const hashes = (integrity) => {
  const [, content] = /^sha512-(.*)$/.exec(integrity ?? "") ?? []
  return content === undefined
    ? {}
    : { hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }] }
}

/** `packages`: name, version, license, integrity of each; one that is there twice is named once. */
export const sbomOf = (own, packages) => {
  const ref = purl(own)
  const components = [...new Map(packages.map((one) => [purl(one), one])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([its, { integrity, license, name, version }]) => ({
      type: /^node-linux-/.test(name) ? "platform" : "library",
      "bom-ref": its,
      name,
      version,
      purl: its,
      ...licences(license),
      ...hashes(integrity)
    }))
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": ref, name: own.name, version: own.version, ...licences(own.license) }
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((one) => one["bom-ref"]) }]
  }
}

/**
 * The places in a lock file of what these dependencies need, each looked for as Node does; `isWanted` says which
 * optional ones are.
 */
export const closureOf = (lock, names, isWanted) => {
  const found = new Set()
  const look = (from, name, optional) => {
    for (let dir = from; ; dir = dir.slice(0, Math.max(0, dir.lastIndexOf("node_modules/") - 1))) {
      const place = `${dir === "" ? "" : `${dir}/`}node_modules/${name}`
      const its = lock.packages[place]
      if (its !== undefined) {
        if (found.has(place) || (optional && !isWanted(place, its))) return
        found.add(place)
        for (const next of Object.keys(its.dependencies ?? {})) look(place, next, false)
        for (const next of Object.keys(its.optionalDependencies ?? {})) look(place, next, true)
        return
      }
      if (dir === "") {
        if (optional) return
        throw new Error(`${name}, which ${from || "leap"} needs, is not in the lock file`)
      }
    }
  }
  for (const name of names) look("", name, false)
  return [...found].sort((a, b) => (a < b ? -1 : 1))
}
