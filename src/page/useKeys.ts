import { useEffect, useRef } from "preact/hooks"

/** What the keys do, outside of fields. */
export const useKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const now = useRef(keys)
  now.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { altKey, ctrlKey, metaKey, target } = event
      if (altKey || ctrlKey || metaKey || event.defaultPrevented) return
      if (target instanceof Element && target.closest("input, textarea, select") !== null) return
      const act = Object.hasOwn(now.current, event.key) ? now.current[event.key] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [])
}
