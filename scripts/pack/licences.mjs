// Which licences a dependency may have: what is shipped or installed with leap asks for nothing but its notice.

const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Unlicense"
])
/** Of tools that are only used here: their files stay theirs, and none of them leaves the clone. */
const ofTools = new Set([...permissive, "CC-BY-4.0", "MPL-2.0", "Python-2.0"])

/** Whether an expression (SPDX) leaves a choice of these; brackets around parts of one are not read. */
const allows = (licences, expression) => {
  if (typeof expression !== "string") return false
  const bare = expression.trim().replace(/^\((.*)\)$/, "$1")
  return bare.split(" OR ").some((one) => one.split(" AND ").every((part) => licences.has(part.trim())))
}

export const isPermissive = (licence) => allows(permissive, licence)
export const isForTools = (licence) => allows(ofTools, licence)

/**
 * What is wrong with the licences of a lock file's packages, one line each. `licenceOf`: what an installed package
 * says itself, undefined for one that is not installed; only a tool's build for another system may be that and say
 * nothing in the lock file.
 */
export const licenceProblems = (packages, licenceOf) =>
  Object.entries(packages).flatMap(([place, { dev = false, license, optional = false }]) => {
    if (place === "") return []
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length)
    const licence = license ?? licenceOf(place)
    if (licence === undefined && dev && optional) return []
    return (dev ? isForTools : isPermissive)(licence) ? [] : [`${name}: ${licence ?? "no licence"}`]
  })
