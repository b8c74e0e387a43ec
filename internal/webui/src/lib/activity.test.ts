import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Access, Activity, Ask, LiveAction } from '../api/types.ts'
import { byNeed, doingOf, type Doing, glanceOf, noGlance } from './activity.ts'

const access = (more: Partial<Access>): Access => ({
  profile: 1,
  agents: [],
  requests: [],
  takenOver: false,
  suspended: false,
  ...more,
})
const action = (more: Partial<LiveAction>): LiveAction => ({
  n: 1,
  agent: 'c',
  tool: 'click',
  text: 'Clicked',
  summary: 'Clicked',
  kind: 'act',
  at: '2026-05-20T12:00:00Z',
  ms: 0,
  outcome: 'ok',
  ...more,
})
const at = (seconds: number) => Date.parse('2026-05-20T12:00:00Z') + seconds * 1000

test('what is going on in a profile', () => {
  const cases: [Doing, Access | undefined, Ask[], LiveAction | undefined, number][] = [
    ['you', access({ controlled: ['T1'] }), [], undefined, 0],
    ['waiting', access({ takenOver: true }), [{} as Ask], undefined, 0],
    ['stopped', access({ suspended: true }), [], action({}), 0],
    ['you', access({ takenOver: true }), [], action({}), 0],
    ['idle', undefined, [], undefined, 0],
    ['working', access({}), [], action({}), 5],
    ['idle', access({}), [], action({}), 60],
    ['working', access({}), [], action({ going: true, outcome: undefined }), 5],
    ['stuck', access({}), [], action({ going: true, outcome: undefined }), 60],
    ['working', access({}), [], action({ outcome: 'error' }), 5],
    ['stuck', access({}), [], action({ outcome: 'error' }), 60],
    ['idle', access({}), [], action({ outcome: 'refused' }), 60],
  ]
  for (const [want, who, asks, last, seconds] of cases) assert.equal(doingOf(who, asks, last, at(seconds)), want)
})

test('who needs the person stands first', () => {
  const all: Doing[] = ['idle', 'working', 'waiting', 'you', 'stopped', 'stuck']
  assert.deepEqual(all.sort(byNeed), ['waiting', 'you', 'stuck', 'working', 'idle', 'stopped'])
})

test('a glance adds up from the lines of the stream', () => {
  const lines: Activity[] = [
    { profile: 1, type: 'picture', picture: { tab: 'b', mime: 'image/jpeg', data: 'AAAA', n: 1, w: 1, h: 1 } },
    {
      profile: 1,
      type: 'tabs',
      tabs: [
        { id: 'a', title: '', url: 'u:a' },
        { id: 'b', title: '', url: 'u:b' },
      ],
    },
    { profile: 1, type: 'actions', actions: [action({ n: 1 }), action({ n: 2 })] },
    { profile: 1, type: 'dialog', dialog: 'alert: x' },
    { profile: 1, type: 'agents' },
  ]
  const all = lines.reduce(glanceOf, noGlance)
  assert.equal(all.url, 'u:b')
  assert.equal(all.last?.n, 2)
  assert.equal(all.dialog, 'alert: x')
  assert.equal(all.picture?.data, 'AAAA')
  const drawn = glanceOf(all, {
    profile: 1,
    type: 'picture',
    picture: { tab: 'b', mime: 'image/jpeg', data: 'BBBB', n: 1, w: 1, h: 1 },
  })
  assert.equal(drawn.dialog, undefined)
})
