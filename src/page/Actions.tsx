import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Action } from "../domain/surfaces/operations/actions.ts"
import type { Wish } from "../domain/surfaces/web/Frames.ts"
import { act } from "./connection.ts"
import { may } from "./store.ts"

export type PageAction = Omit<Action, "call"> & { readonly call: Action["call"] | Wish }

interface ActionOptions {
  readonly tag: string
  readonly action: PageAction
  /** The target of the action, for people who cannot see where the button is. */
  readonly to?: string
}

/** A button for an action; if something would be lost, it asks first. */
export const ActionButton = ({ action: { call, confirm, isSet, label }, tag, to = "" }: ActionOptions) => {
  const isAsking = useSignal(false)
  const [opener, no] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  // The focus goes to the answer that does nothing, and back.
  useLayoutEffect(() => {
    if (!isAsking.value) return
    no.current?.focus()
    return () => opener.current?.focus()
  }, [isAsking.value])
  const name = to === "" ? null : <span class="hidden"> {to}</span>
  if (confirm !== undefined && isAsking.value) {
    const close = () => {
      isAsking.value = false
    }
    return (
      <span class="asking" role="group" aria-label={confirm}>
        {confirm}{" "}
        <button
          type="button"
          onClick={() => {
            close()
            void act(tag, call)
          }}
        >
          {label}
        </button>
        <button type="button" ref={no} onClick={close}>
          No
        </button>
      </span>
    )
  }
  return (
    <button
      type="button"
      ref={opener}
      aria-pressed={isSet}
      onClick={() => {
        if (confirm === undefined) void act(tag, call)
        else isAsking.value = true
      }}
    >
      {label}
      {name}
    </button>
  )
}

export const allowedOf = (actions: ReadonlyArray<PageAction>): ReadonlyArray<PageAction> =>
  actions.filter(({ call }) => may(call._tag))

export const ActionButtons = ({
  actions,
  tag,
  to = ""
}: { readonly actions: ReadonlyArray<PageAction> } & Omit<ActionOptions, "action">) => (
  <>
    {allowedOf(actions).map((action) => (
      <ActionButton key={`${action.key}${action.label}`} tag={tag} action={action} to={to} />
    ))}
  </>
)
