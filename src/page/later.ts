import { signal } from "@preact/signals"
import type { FunctionComponent } from "preact"
import { useEffect } from "preact/hooks"

/**
 * A part of the page in a file of its own, loaded where it is first drawn: most sessions are looked at without it. As
 * long as it is not there, a text says why.
 */
export const later = <Props>(load: () => Promise<FunctionComponent<Props>>) => {
  const part = signal<FunctionComponent<Props> | string>("…")
  const get = async (): Promise<void> => {
    try {
      part.value = await load()
    } catch {
      part.value = "this part of the page could not be loaded: reload it"
    }
  }
  return (): FunctionComponent<Props> | string => {
    useEffect(() => {
      if (typeof part.value === "string") void get()
    }, [])
    return part.value
  }
}
