package clients

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
)

// Retained says that a file with the skill stays, because other clients use it.
const Retained = "kept"

// SkillChange describes what was done to one file with the skill, or what a dry run would do.
type SkillChange struct {
	Client Client
	Scope  Scope
	Dir    string // the folder of a project scope
	File   string
	Action string
	// Others are the clients for which the file stays.
	Others []Client
	// Diff shows the change line by line.
	Diff string
}

// SkillOptions say how the skill is installed or removed. Force replaces or removes a file that somebody has changed.
// Dry writes nothing.
type SkillOptions struct{ Force, Dry bool }

// InstallSkill writes the skill into the folder in which the client looks for it. A file that is there already is
// updated if Cove wrote it.
func (r *Registry) InstallSkill(ctx context.Context, c Client, scope Scope, o SkillOptions) (SkillChange, error) {
	if err := checkSkillScope(c, scope); err != nil {
		return SkillChange{}, err
	}
	if !c.Installed(r.Env) {
		return SkillChange{}, fault.New(fault.CodeNotInstalled,
			c.Title+" was not found on this computer: it has neither its folder "+c.folders(r.Env)[0]+
				" nor a program on the PATH.", "Install it and start it once, then try again.")
	}
	unlock, err := lockHome(ctx, r.Home)
	if err != nil {
		return SkillChange{}, err
	}
	defer unlock()

	at := r.skillPlace(c, scope)
	return r.changeSkill(at, o, func(s skillSnapshot) (skillPlan, error) { return at.planInstall(s, o.Force) })
}

// RemoveSkill removes the skill of a client: the person's and that of this folder, or that of one scope only.
// everywhere includes other folders.
func (r *Registry) RemoveSkill(
	ctx context.Context, c Client, scope Scope, everywhere bool, o SkillOptions,
) (done []SkillChange, err error) {
	if scope != "" || c.Skills == nil {
		if err := checkSkillScope(c, scope); err != nil {
			return nil, err
		}
	}
	unlock, err := lockHome(ctx, r.Home)
	if err != nil {
		return nil, err
	}
	defer unlock()

	places, err := r.skillPlaces(c, scope, everywhere)
	for _, at := range places {
		change, err := r.changeSkill(at, o,
			func(s skillSnapshot) (skillPlan, error) { return at.planRemove(s, o.Force) })
		if err != nil {
			return done, err
		}
		if change.Action != Unchanged {
			done = append(done, change)
		}
	}

	return done, err
}

// CheckSkills refuses a client of which no folder for skills is known.
func (c Client) CheckSkills() error {
	if c.Skills != nil {
		return nil
	}

	return fault.New(fault.CodeNoSkill, "Cove knows no folder in which "+c.Title+" looks for skills.",
		"Clients with such a folder: "+strings.Join(skilled(), ", ")+".")
}

func checkSkillScope(c Client, scope Scope) error {
	if err := c.CheckSkills(); err != nil {
		return err
	}
	if !slices.Contains(c.SkillScopes(), scope) {
		return fault.Fieldf("scope", "%q is not a scope of skills.", scope).
			WithHint(fault.Suggest(string(scope), User, Project) + "Use user or project.")
	}

	return nil
}

// skilled returns the names of the clients that have a folder for skills.
func skilled() (names []string) {
	for _, c := range Table() {
		if c.Skills != nil {
			names = append(names, c.Name)
		}
	}

	return names
}

// skillPlaces returns where a client's skill may be, each file once.
func (r *Registry) skillPlaces(c Client, scope Scope, everywhere bool) (all []skillPlace, err error) {
	l, err := loadLedger(r.Home)
	if err != nil {
		return nil, err
	}
	add := func(at skillPlace) {
		same := func(o skillPlace) bool { return o.onDisk == at.onDisk }
		if (scope == "" || at.scope == scope) && !slices.ContainsFunc(all, same) {
			all = append(all, at)
		}
	}

	for _, s := range c.SkillScopes() {
		add(r.skillPlace(c, s))
	}
	for _, known := range l.Skills {
		if everywhere && slices.Contains(known.Clients, c.Name) {
			add(skillPlace{client: c, scope: known.Scope, dir: known.Dir, file: known.File, onDisk: known.File})
		}
	}

	return all, nil
}

// changeSkill makes a change. It starts again if another program has changed the file in between.
func (r *Registry) changeSkill(
	at skillPlace, o SkillOptions, decide func(skillSnapshot) (skillPlan, error),
) (change SkillChange, err error) {
	for try := range attempts {
		if change, err = r.changeSkillOnce(at, o, decide); !errors.Is(err, errMoved) {
			return change, err
		}
		time.Sleep(time.Duration(try) * 5 * time.Millisecond)
	}

	return change, fault.New(fault.CodeLocked, "Another program keeps writing "+at.file+".",
		"Close "+at.client.Title+" and try again.")
}

func (r *Registry) changeSkillOnce(
	at skillPlace, o SkillOptions, decide func(skillSnapshot) (skillPlan, error),
) (SkillChange, error) {
	change := SkillChange{Client: at.client, Scope: at.scope, Dir: at.dir, File: at.file}
	if !o.Dry {
		defer lockFolder(nearestFolder(at.onDisk))()
	}
	raw, there, err := readFile(at.onDisk)
	if err != nil {
		return change, unreadable(at.file, err)
	}
	l, err := loadLedger(r.Home)
	if err != nil {
		return change, err
	}
	p, err := decide(skillSnapshot{raw, there, l})
	if err != nil {
		return change, err
	}

	change.Action = p.action
	for _, name := range p.others {
		if c, err := Find(name); err == nil {
			change.Others = append(change.Others, c)
		}
	}
	if p.touches {
		if err := at.refuseLink(r.Env); err != nil {
			return change, err
		}
		change.Diff = diff(at.file, there, raw, plan{out: p.out, gone: p.gone})
	}
	if o.Dry {
		return change, nil
	}

	return change, r.commitSkill(at, original{at.onDisk, raw, there}, l, p)
}

// nearestFolder returns the folder of a file, or the nearest one above it that exists.
func nearestFolder(file string) string {
	dir := filepath.Dir(file)
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}

	return dir
}
