// An import of logins from a browser that the person uses.
import type { LoginImport, LoginImportInput, LoginSite, LoginSource } from '../api/types.ts'

// over says whether an import does nothing more.
export const over = ({ step }: Pick<LoginImport, 'step'>): boolean => step === 'done' || step === 'failed'

// Source is one profile of one browser.
export type Source = { browser: string; profile: string; open: boolean; from: Omit<LoginImportInput, 'profile'> }

// sourcesOf are the profiles of all browsers. Those of browsers that are open come first.
export const sourcesOf = (all: readonly LoginSource[]): Source[] =>
  [...all]
    .sort((a, b) => Number(b.open) - Number(a.open))
    .flatMap(({ name, dataDir, open, profiles }) =>
      profiles.map(p => ({ browser: name, profile: p.name, open, from: { dataDir, dir: p.dir } })),
    )

// fitting are the sites that have a text in their names.
export const fitting = (sites: readonly LoginSite[], text: string): LoginSite[] =>
  sites.filter(s => s.site.includes(text.trim().toLowerCase()))
