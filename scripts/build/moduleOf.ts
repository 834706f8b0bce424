/** A module's text with this value as its default: what stands in it more than once is written once. */
export const moduleOf = (value: unknown): string => {
  const times = new Map<string, number>()
  const count = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    const text = JSON.stringify(part)
    times.set(text, (times.get(text) ?? 0) + 1)
    // what is in it stands there once, however often it does itself
    if (times.get(text) === 1) Object.values(part).forEach(count)
  }
  count(value)
  const names = new Map<string, string>()
  const shared: Array<string> = []
  const written = (part: unknown): string => {
    if (typeof part !== "object" || part === null) return JSON.stringify(part)
    const text = JSON.stringify(part)
    const known = names.get(text)
    if (known !== undefined) return known
    const whole = Array.isArray(part)
      ? `[${part.map(written).join(", ")}]`
      : `{ ${Object.entries(part)
          .map(([name, of]) => `${JSON.stringify(name)}: ${written(of)}`)
          .join(", ")} }`
    if (times.get(text) === 1 || text.length < 40) return whole
    const name = `form${names.size}`
    names.set(text, name)
    shared.push(`const ${name} = ${whole} as const\n`)
    return name
  }
  const whole = written(value)
  return `${shared.join("")}export default ${whole} as const\n`
}
