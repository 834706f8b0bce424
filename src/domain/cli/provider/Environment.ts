/** An environment with changes applied; null removes a variable. */
export const overlay = (
  env: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>
): Record<string, string> => {
  const result: Record<string, string> = { ...env }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete result[name]
    else result[name] = value
  }
  return result
}
