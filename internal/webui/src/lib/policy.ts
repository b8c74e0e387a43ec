// What agents may do, as a form has it, and back.
import type { Policy, PolicyOutcome } from '../api/types.ts'
import { lines, upperFirst, words } from './text.ts'

// Answer is what a policy says to a right.
export type Answer = 'yes' | 'ask' | 'no'

// rights are the classes of steps that a policy answers, in the order of the form.
export const rights = [
  'act',
  'leave',
  'submit',
  'upload',
  'download',
  'script',
  'storage',
  'clipboard',
  'tab',
  'local',
  'page_tool',
] as const

// Right is one class of steps.
export type Right = (typeof rights)[number]

// steps are what can be tested on a page: to open it, or something that needs a right there.
export const steps = ['', ...rights.filter(right => right !== 'leave' && right !== 'local')] as const

// usual are the answers of the presets, in the order of rights. The other presets say no to all.
const usual: Partial<Record<Policy['preset'], string>> = { open: 'ynyyyyyyyny', guarded: 'ynaaannaana' }
const letters: Record<string, Answer> = { y: 'yes', a: 'ask', n: 'no' }

// usually is what a preset says to a right.
export const usually = (preset: Policy['preset'], right: Right): Answer =>
  letters[usual[preset]?.[rights.indexOf(right)] ?? 'n'] ?? 'no'

// PolicyForm is a policy as people type it.
export type PolicyForm = Omit<Policy, 'sites' | 'answerers' | 'rights'> & {
  rights: Record<string, Answer>
  allow: string
  block: string
  answerers: string
}

// answerTo is what the form says to a right.
export const answerTo = (f: PolicyForm, right: Right): Answer => f.rights[right] ?? usually(f.preset, right)

// withAnswer changes the answer to a right. The preset's own answer is not written down.
export function withAnswer(f: PolicyForm, right: Right, answer: Answer): PolicyForm {
  const others = Object.entries(f.rights).filter(([name]) => name !== right)
  const own: [string, Answer][] = answer === usually(f.preset, right) ? [] : [[right, answer]]
  return { ...f, rights: Object.fromEntries([...others, ...own]) }
}

// asked are the rights that agents ask for in a person’s own browser, although the preset would deny them.
const asked = { script: 'ask', storage: 'ask' } as const

// withPreset chooses a preset. It forgets the answers to single rights.
export const withPreset = (f: PolicyForm, preset: Policy['preset'], external = false): PolicyForm => ({
  ...f,
  preset,
  rights: external && preset === 'guarded' ? { ...asked } : {},
})

// typed is a policy as people type it.
export function typed(p: Policy): PolicyForm {
  const { sites, answerers, rights: own, ...rest } = p
  return {
    ...rest,
    rights: own ?? {},
    allow: (sites.allow ?? []).join('\n'),
    block: (sites.block ?? []).join('\n'),
    answerers: (answerers ?? []).join(', '),
  }
}

// sentPolicy is the form as the app takes it.
export const sentPolicy = ({ allow, block, answerers, ...rest }: PolicyForm): Policy => ({
  ...rest,
  sites: { allow: lines(allow), block: lines(block) },
  answerers: words(answerers),
})

// outcomeText is the rule that decided, as a sentence.
export const outcomeText = ({ rule }: PolicyOutcome): string => `${upperFirst(rule)}.`
