package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/skill"
)

// SkillStatus says how a file with the skill stands to the skill of this Cove.
type SkillStatus string

const (
	// SkillFound says that the file is this Cove's.
	SkillFound SkillStatus = "found"
	// SkillOlder says that an older Cove wrote the file.
	SkillOlder SkillStatus = "older"
	// SkillNewer says that a newer Cove wrote the file.
	SkillNewer SkillStatus = "newer"
	// SkillChanged says that somebody else wrote the file, or changed it.
	SkillChanged SkillStatus = "changed"
	// SkillMissing says that there is no file.
	SkillMissing SkillStatus = "missing"
)

// skillRecord is one file with a skill that Cove has written. Clients that share a folder share the record.
type skillRecord struct {
	Skill string `json:"skill"`
	// File is the path on the disk, without links.
	File    string   `json:"file"`
	Scope   Scope    `json:"scope"`
	Dir     string   `json:"dir,omitempty"` // the folder of a project scope
	Clients []string `json:"clients"`
	// Sum identifies the text that Cove has written.
	Sum string `json:"sum"`
	// Before is the text that was there before, or nil if there was no file. Folders are the folders that were made,
	// the outermost first.
	Before  *string   `json:"before,omitempty"`
	Folders []string  `json:"folders,omitempty"`
	Added   time.Time `json:"added"`
}

// skill returns the record of a file, or nil.
func (l *ledger) skill(file string) *skillRecord {
	for i := range l.Skills {
		if l.Skills[i].File == file {
			return &l.Skills[i]
		}
	}

	return nil
}

func (l *ledger) putSkill(r skillRecord) {
	l.dropSkill(r.File)
	l.Skills = append(l.Skills, r)
}

func (l *ledger) dropSkill(file string) {
	l.Skills = slices.DeleteFunc(l.Skills, func(r skillRecord) bool { return r.File == file })
}

// skillPlace is where a client looks for the skill in one scope.
type skillPlace struct {
	client Client
	scope  Scope
	dir    string // the folder of a project scope
	file   string // as the client knows it
	onDisk string // the same without links
}

// SkillScopes returns the scopes in which the client looks for skills.
func (c Client) SkillScopes() []Scope {
	if c.Skills == nil {
		return nil
	}

	return []Scope{User, Project}
}

func (r *Registry) skillPlace(c Client, scope Scope) skillPlace {
	file := r.Env.join(c.Skills(r.Env, scope), skill.Cove().Name, skill.File)
	at := skillPlace{client: c, scope: scope, file: file, onDisk: resolveDeep(r.Env.real(file))}
	if scope == Project {
		at.dir = r.Env.Dir
	}

	return at
}

// resolveDeep follows the links in a path of which the last elements need not exist yet.
func resolveDeep(file string) string {
	rest := ""
	for dir := file; ; dir = filepath.Dir(dir) {
		if direct, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(direct, rest)
		}
		if dir == filepath.Dir(dir) {
			return file
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// InstalledSkill is the skill as a client finds it in one scope.
type InstalledSkill struct {
	Client Client
	Scope  Scope
	Dir    string // the folder of a project scope
	File   string
	Status SkillStatus
	// Number is that of the file, or 0.
	Number int
	// Err says why the file could not be read.
	Err error
}

// Skills returns the skill as the client finds it: the person's, and that of this folder if there is one.
func (r *Registry) Skills(c Client) (found []InstalledSkill) {
	l, err := loadLedger(r.Home)
	var seen []string
	for _, scope := range c.SkillScopes() {
		at := r.skillPlace(c, scope)
		if slices.Contains(seen, at.onDisk) { // in the person's home folder both are one file
			continue
		}
		seen = append(seen, at.onDisk)
		one := InstalledSkill{Client: c, Scope: scope, Dir: at.dir, File: at.file, Status: SkillMissing, Err: err}
		if err == nil {
			one.Status, one.Number, one.Err = at.examine(l)
		}
		if scope == User || one.Status != SkillMissing {
			found = append(found, one)
		}
	}

	return found
}

func (at skillPlace) examine(l *ledger) (SkillStatus, int, error) {
	raw, there, err := readFile(at.onDisk)
	if err != nil {
		return SkillChanged, 0, unreadable(at.file, err)
	}
	number, _ := skill.Number(raw)

	return skillStatus(raw, there, l.skill(at.onDisk)), number, nil
}

// skillStatus says what a file is, as it was read. known is its record, or nil.
func skillStatus(raw []byte, there bool, known *skillRecord) SkillStatus {
	ours := skill.Cove()
	number, _ := skill.Number(raw)
	switch {
	case !there:
		return SkillMissing
	case skill.Sum(raw) == skill.Sum([]byte(ours.Text)):
		return SkillFound
	case number > ours.Number:
		return SkillNewer
	case isPristine(raw, known):
		return SkillOlder
	}

	return SkillChanged
}

// isPristine reports whether a file is as some Cove has written it.
func isPristine(raw []byte, known *skillRecord) bool {
	return skill.IsReleased(raw) || known != nil && known.Sum == skill.Sum(raw)
}

// OlderSkill returns a file with a skill that is older than this Cove's, and the command that updates it. Both are
// empty if there is none. It reads only the few files that agents in this folder may have read, so that every command
// can ask.
func OlderSkill(e Env) (file, command string) { return olderSkill(e, skill.Cove().Number) }

func olderSkill(e Env, than int) (file, command string) {
	for _, at := range e.skillFiles() {
		raw, _, err := readFile(e.real(at.file))
		if number, ok := skill.Number(raw); err == nil && ok && number < than {
			return at.file, skillCommand("install", at.client, at.scope)
		}
	}

	return "", ""
}

// skillFiles returns the files in which clients look for the skill, each once: the person's, those of this folder, and
// those of the repository, where some clients look too.
func (e Env) skillFiles() (all []skillPlace) {
	root := e
	root.Dir = e.repository()
	for _, here := range []Env{e, root} {
		for _, c := range Table() {
			for _, scope := range c.SkillScopes() {
				file := here.join(c.Skills(here, scope), skill.Cove().Name, skill.File)
				if !slices.ContainsFunc(all, func(at skillPlace) bool { return at.file == file }) {
					all = append(all, skillPlace{client: c, scope: scope, dir: here.Dir, file: file})
				}
			}
		}
	}

	return all
}

// skillCommand returns the command that installs or removes the skill of a client in a scope.
func skillCommand(verb string, c Client, scope Scope) string {
	command := "cove skills " + verb + " " + c.Name
	if scope == Project {
		command += " --scope project"
	}

	return command
}

// Next says what a person can do about the skill, or "" if it is as it should be.
func (s InstalledSkill) Next() string {
	install := skillCommand("install", s.Client, s.Scope)
	switch {
	case s.Err != nil:
		return fault.From(s.Err).Hint
	case s.Status == SkillMissing:
		return "Install it with: " + install
	case s.Status == SkillOlder:
		return "Update it with: " + install
	case s.Status == SkillNewer:
		return "Update this Cove, or go back to its own skill with: " + install + " --force"
	case s.Status == SkillChanged:
		return "Keep it, or replace it with: " + install + " --force"
	}

	return ""
}

// refuseLink refuses to write through a link that leads somewhere that nobody expects: one in place of the skill's own
// file or folder, one that leads nowhere, and in a project, whose links others have made, one that leads out of it.
func (at skillPlace) refuseLink(e Env) error {
	name := e.real(at.file)
	for i, dir := 0, name; dir != filepath.Dir(dir); i, dir = i+1, filepath.Dir(dir) {
		to, err := os.Readlink(dir)
		if err != nil {
			continue
		}
		if _, err := os.Stat(dir); i < 2 || err != nil {
			return at.errLink(dir, to)
		}
	}

	if at.scope == Project {
		root := resolveDeep(e.real(at.dir))
		if !strings.HasPrefix(at.onDisk, root+string(filepath.Separator)) {
			return at.errLink(filepath.Dir(filepath.Dir(name)), filepath.Dir(filepath.Dir(at.onDisk)))
		}
	}

	return nil
}

func (at skillPlace) errLink(link, to string) error {
	return fault.New(fault.CodeUnwritable,
		fmt.Sprintf("%s is a link to %s, and Cove installs no skill through it.", link, to),
		"Remove the link and try again, or "+at.byHand())
}

// byHand says how a person can do what Cove cannot.
func (at skillPlace) byHand() string {
	return fmt.Sprintf("write %s yourself with the text of: cove skills get %s", at.file, skill.Cove().Name)
}
