import { Option } from "effect"

export const parseJson = (text: string): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(text) as unknown)
  } catch {
    return Option.none()
  }
}

/** The parsed JSON; null for a text that is not JSON. */
export const jsonOf = (text: string): unknown => Option.getOrNull(parseJson(text))
