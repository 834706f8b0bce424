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

/** The directory that a variable names, without trailing slashes; `otherwise` if it names none. */
export const directoryBy = (env: Readonly<Record<string, string>>, variable: string, otherwise: string): string =>
  env[variable]?.replace(/(?<=.)\/+$/, "") || otherwise

export const inHome = (env: Readonly<Record<string, string>>, path: string): string => `${env["HOME"] ?? ""}/${path}`
