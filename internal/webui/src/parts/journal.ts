// Reading the journal of a profile.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { told } from '../api/client.ts'
import type { JournalEntry, JournalSession } from '../api/types.ts'
import { type Filter, merge, queryOf } from '../lib/journal.ts'
import * as state from '../store/state.ts'
import { useEvery } from './hooks.ts'

const page = 500
const newest = 100
const follows = 2000
const typing = 250

// Found is what was read of a journal: the last entry of all, and the steps that match.
type Found = { steps: JournalEntry[]; more: boolean; last: number }

// useJournal reads the steps that match, and goes on while the profile is open.
export function useJournal(id: number, filter: Filter, open: boolean) {
  const [found, setFound] = useState<Found | null>(null)
  const [sessions, setSessions] = useState<JournalSession[]>([])
  const [wrong, setWrong] = useState('')
  const turn = useRef(0) // of reading: what an older one brings does not count
  const busy = useRef(false)
  const key = JSON.stringify(filter)
  const read = async (limit: number, more: string, use: (old: Found, got: Found) => Found | null) => {
    const mine = ++turn.current
    busy.current = true
    try {
      const { data, more: further, last } = await calls.journal(id, `${queryOf(filter)}&limit=${limit}${more}`)
      if (mine !== turn.current) return
      const got = { steps: merge([], data), more: further, last }
      const next = use(found ?? got, got)
      setWrong('')
      if (next) setFound(next)
      else void begin()
    } catch (e) {
      if (mine === turn.current) setWrong(told(e))
    } finally {
      if (mine === turn.current) busy.current = false
    }
  }
  const begin = () => read(page, '', (_, got) => got)
  const oldest = found ? Math.min(...found.steps.map(e => e.seq)) : 0
  const older = () =>
    read(page, `&before=${oldest}`, (old, got) => ({ ...got, last: old.last, steps: merge(old.steps, got.steps) }))
  // Newer steps join those that are here; when there are so many that some would be left out, all is read again.
  const newer = () =>
    read(newest, '', (old, got) => {
      if (got.last === old.last) return old
      const known = new Set(old.steps.map(e => e.seq))
      if (got.more && !got.steps.some(e => known.has(e.seq))) return null
      return { ...got, more: old.more, steps: merge(old.steps, got.steps) }
    })
  useEffect(() => {
    const timer = setTimeout(() => void begin(), found ? typing : 0)
    return () => {
      clearTimeout(timer)
    }
  }, [key])
  useEffect(() => {
    calls.journalSessions(id).then(
      ({ data }) => {
        setSessions(data)
      },
      () => undefined, // the steps say it, too
    )
  }, [])
  useEvery(follows, () => {
    if (found && !wrong && open && !busy.current && state.online.value && document.visibilityState === 'visible')
      void newer()
  })
  return { found, sessions, wrong, oldest, begin, older }
}
