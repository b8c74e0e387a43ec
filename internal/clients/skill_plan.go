package clients

import (
	"path/filepath"
	"slices"
	"time"

	"cove/internal/fault"
	"cove/internal/skill"
)

// skillSnapshot is the state that a change is planned for: the file as it was read, and the ledger.
type skillSnapshot struct {
	raw    []byte
	there  bool
	ledger *ledger
}

// skillPlan is the outcome of a change. The file is written or deleted only if touches is set.
type skillPlan struct {
	action  string
	others  []string
	touches bool
	out     []byte
	gone    bool
	folders []string // to be removed with the file
	ledger  *ledger
}

func (at skillPlace) planInstall(s skillSnapshot, force bool) (skillPlan, error) {
	ours := []byte(skill.Cove().Text)
	p := skillPlan{action: Added, touches: true, out: ours, ledger: s.ledger.clone()}
	known := s.ledger.skill(at.onDisk)
	status := skillStatus(s.raw, s.there, known)
	now := skillRecord{Skill: skill.Cove().Name, File: at.onDisk, Scope: at.scope, Dir: at.dir, Added: time.Now().UTC()}
	if known != nil {
		now = *known
	}

	switch status {
	case SkillMissing:
		now.Before = nil // whoever deleted the file does not want the old one back
	case SkillFound:
		p.touches = false
		if known == nil || slices.Contains(known.Clients, at.client.Name) {
			p.action = Unchanged
			return p, nil
		}
	case SkillOlder:
		p.action = Updated
		if known == nil {
			now.Folders = []string{filepath.Dir(at.onDisk)}
		}
	default:
		if !force {
			return p, at.errChanged(status, "replace")
		}
		p.action = Updated
		if known == nil {
			text := string(s.raw)
			now.Before = &text
		}
	}

	if !slices.Contains(now.Clients, at.client.Name) {
		now.Clients = append(slices.Clone(now.Clients), at.client.Name)
	}
	now.Sum = skill.Sum(ours)
	p.ledger.putSkill(now)

	return p, nil
}

func (at skillPlace) planRemove(s skillSnapshot, force bool) (skillPlan, error) {
	p := skillPlan{action: Unchanged, ledger: s.ledger.clone()}
	known := s.ledger.skill(at.onDisk)
	if known != nil {
		p.others = slices.DeleteFunc(slices.Clone(known.Clients),
			func(name string) bool { return name == at.client.Name })
	}

	switch {
	case !s.there:
		if known != nil {
			p.folders = known.Folders
		}
		p.ledger.dropSkill(at.onDisk)
		return p, nil
	case len(p.others) > 0:
		rest := *known
		rest.Clients = p.others
		p.ledger.putSkill(rest)
		p.action = Retained
		return p, nil
	case known == nil && !isPristine(s.raw, nil) && !hasNumber(s.raw):
		return p, nil // a skill of somebody else's that has the same name
	case !isPristine(s.raw, known) && !force:
		return p, at.errChanged(skillStatus(s.raw, true, known), "remove")
	}

	p.action, p.touches, p.gone = Removed, true, true
	p.folders = []string{filepath.Dir(at.onDisk)}
	if known != nil {
		p.folders = known.Folders
		if known.Before != nil {
			p.gone, p.out = false, []byte(*known.Before)
		}
	}
	p.ledger.dropSkill(at.onDisk)

	return p, nil
}

// hasNumber reports whether a file has the number that only Cove's skills have.
func hasNumber(raw []byte) bool {
	_, ok := skill.Number(raw)
	return ok
}

func (at skillPlace) errChanged(status SkillStatus, verb string) error {
	text := at.file + " was changed by somebody, or is not Cove's."
	if status == SkillNewer {
		text = at.file + " is of a newer Cove."
	}

	return fault.New(fault.CodeSkillChanged, text,
		"Look at it first; "+verb+" it with --force. Cove keeps a copy in its data folder.")
}
