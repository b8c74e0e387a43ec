package clients

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/racetest"
	"cove/internal/skill"
)

// shelf is a computer with every client that has a folder for skills.
type shelf struct {
	*Registry
	t *testing.T
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	e := fakeEnv(t, "linux")
	e.LookPath = func(name string) (string, error) { return "/usr/bin/" + name, nil }

	return &shelf{&Registry{Env: e, Home: paths.Home(filepath.Join(t.TempDir(), "data"))}, t}
}

// path returns the file of a client on the disk.
func (s *shelf) path(c Client, scope Scope) string {
	return filepath.Join(s.Env.Real(c.Skills(s.Env, scope)), "cove", skill.File)
}

func (s *shelf) install(name string, scope Scope, o SkillOptions) (string, error) {
	s.t.Helper()
	change, err := s.InstallSkill(context.Background(), client(s.t, name), scope, o)
	return change.Action, err
}

func (s *shelf) remove(name string, scope Scope, o SkillOptions) (actions string, err error) {
	s.t.Helper()
	done, err := s.RemoveSkill(context.Background(), client(s.t, name), scope, false, o)
	for _, d := range done {
		actions += d.Action + " "
	}

	return strings.TrimSpace(actions), err
}

// must checks what an install or a removal did.
func must(t *testing.T, action string, err error, want string) {
	t.Helper()
	if err != nil || action != want {
		t.Fatalf("%q, %v; not %q", action, err, want)
	}
}

func (s *shelf) write(file, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// tree returns every file and folder below the person's home, with the texts of files.
func (s *shelf) tree() string {
	s.t.Helper()
	var all []string
	root := s.Env.Real(s.Env.Home)
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		text := "/"
		switch {
		case err != nil:
		case d.Type()&os.ModeSymlink != 0:
			text, err = os.Readlink(name)
		case !d.IsDir():
			text = read(s.t, name)
		}
		all = append(all, strings.TrimPrefix(name, root)+" "+text)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}

	return strings.Join(all, "\n")
}

// older is a text that some Cove wrote: the ledger knows its sum.
func (s *shelf) older(file string) {
	s.t.Helper()
	text := strings.Replace(skill.Cove().Text, "# cove page", "# cove page, as it was", 1)
	s.write(file, text)
	l, err := loadLedger(s.Home)
	if err != nil {
		s.t.Fatal(err)
	}
	known := *l.skill(file)
	known.Sum = skill.Sum([]byte(text))
	l.putSkill(known)
	if err := l.save(s.Home); err != nil {
		s.t.Fatal(err)
	}
}

func TestWhereClientsLookForSkills(t *testing.T) {
	e := fakeEnv(t, "linux")
	for name, want := range map[string]struct{ user, project string }{
		"claude-code": {".claude/skills", ".claude/skills"},
		"codex":       {".agents/skills", ".agents/skills"},
		"gemini":      {".agents/skills", ".agents/skills"},
		"qwen":        {".agents/skills", ".agents/skills"},
		"opencode":    {".agents/skills", ".agents/skills"},
		"copilot":     {".agents/skills", ".agents/skills"},
		"cursor":      {".agents/skills", ".agents/skills"},
		"amp":         {".config/agents/skills", ".agents/skills"},
	} {
		c := client(t, name)
		if user, project := c.Skills(e, User), c.Skills(e, Project); user != e.Home+"/"+want.user ||
			project != e.Dir+"/"+want.project {
			t.Errorf("%s: %s, %s", name, user, project)
		}
	}
	e.Getenv = func(name string) string { return "/env/" + name }
	for name, want := range map[string]string{
		"claude-code": "/env/CLAUDE_CONFIG_DIR/skills", "codex": "/home/me/.agents/skills",
		"gemini": "/env/GEMINI_CLI_HOME/.agents/skills", "qwen": "/home/me/.agents/skills",
		"copilot": "/env/COPILOT_HOME/skills",
	} {
		if dir := client(t, name).Skills(e, User); dir != want {
			t.Errorf("%s: %s", name, dir)
		}
	}
	e = fakeEnv(t, "windows")
	if dir := client(t, "codex").Skills(e, User); dir != `C:\Users\me\.agents\skills` {
		t.Error(dir)
	}
}

func TestASkillIsInstalledOnceAndRemovedWithoutATrace(t *testing.T) {
	for _, name := range skilled() {
		for _, scope := range []Scope{User, Project} {
			s := newShelf(t)
			before := s.tree()
			action, err := s.install(name, scope, SkillOptions{Dry: true})
			must(t, action, err, Added)
			if s.tree() != before {
				t.Fatalf("%s: a dry run wrote something", name)
			}
			action, err = s.install(name, scope, SkillOptions{})
			must(t, action, err, Added)
			if text := read(t, s.path(client(t, name), scope)); text != skill.Cove().Text {
				t.Fatalf("%s: %q", name, text)
			}
			installed := s.tree()
			action, err = s.install(name, scope, SkillOptions{})
			must(t, action, err, Unchanged)
			if s.tree() != installed {
				t.Fatalf("%s: the second time changed something", name)
			}
			action, err = s.remove(name, "", SkillOptions{})
			must(t, action, err, Removed)
			if s.tree() != before {
				t.Fatalf("%s left\n%s", name, s.tree())
			}
			action, err = s.remove(name, "", SkillOptions{})
			must(t, action, err, "")
			if l, err := loadLedger(s.Home); err != nil || len(l.Skills) > 0 {
				t.Fatalf("%s: %+v, %v", name, l.Skills, err)
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	return string(raw)
}

func TestClientsThatShareAFolderShareTheSkill(t *testing.T) {
	s := newShelf(t)
	before := s.tree()
	for _, name := range []string{"codex", "gemini", "qwen"} {
		action, err := s.install(name, User, SkillOptions{})
		must(t, action, err, Added)
	}
	file := s.path(client(t, "codex"), User)
	done, err := s.RemoveSkill(context.Background(), client(t, "codex"), User, false, SkillOptions{})
	if err != nil || len(done) != 1 || done[0].Action != Retained || len(done[0].Others) != 2 ||
		done[0].Others[0].Name != "gemini" {
		t.Fatalf("%+v, %v", done, err)
	}
	// A client that never asked for the skill does not take it from those that did.
	action, err := s.remove("opencode", User, SkillOptions{Force: true})
	must(t, action, err, Retained)
	action, err = s.remove("qwen", User, SkillOptions{})
	must(t, action, err, Retained)
	if read(t, file) != skill.Cove().Text {
		t.Fatal("the file is gone")
	}
	action, err = s.remove("gemini", User, SkillOptions{})
	must(t, action, err, Removed)
	if s.tree() != before {
		t.Errorf("left\n%s", s.tree())
	}
}

func TestALinkFromOneFolderToAnotherIsOneFolder(t *testing.T) {
	s := newShelf(t)
	shared, own := s.Env.Real(s.Env.home(".agents", "skills")), s.Env.Real(s.Env.home(".claude", "skills"))
	s.write(filepath.Join(shared, "other", skill.File), "theirs")
	s.write(filepath.Join(filepath.Dir(own), "settings.json"), "{}")
	if err := os.Symlink(shared, own); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"claude-code", "codex"} {
		action, err := s.install(name, User, SkillOptions{})
		must(t, action, err, Added)
	}
	action, err := s.remove("claude-code", User, SkillOptions{})
	must(t, action, err, Retained)
	action, err = s.remove("codex", User, SkillOptions{})
	must(t, action, err, Removed)
	if _, err := os.Stat(filepath.Join(shared, "cove")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestWhatSomebodyChangedStays(t *testing.T) {
	s := newShelf(t)
	codex := client(t, "codex")
	file := s.path(codex, User)
	action, err := s.install("codex", User, SkillOptions{})
	must(t, action, err, Added)
	edited := skill.Cove().Text + "\nUse profile 3.\n"
	s.write(file, edited)

	_, err = s.install("codex", User, SkillOptions{})
	fails(t, err, fault.Conflict, "E_SKILL_CHANGED", "changed by somebody", "--force")
	_, err = s.remove("codex", User, SkillOptions{})
	fails(t, err, fault.Conflict, "E_SKILL_CHANGED", "remove it with --force")
	if found := s.Skills(codex); read(t, file) != edited || found[0].Status != SkillChanged ||
		!strings.Contains(found[0].Next(), "cove skills install codex --force") {
		t.Fatalf("%+v", found)
	}

	action, err = s.install("codex", User, SkillOptions{Force: true})
	must(t, action, err, Updated)
	if read(t, file) != skill.Cove().Text || !slices.Contains(backups(t, s), edited) {
		t.Errorf("%q, the copies are %q", read(t, file), backups(t, s))
	}
	s.write(file, edited)
	action, err = s.remove("codex", User, SkillOptions{Force: true})
	must(t, action, err, Removed)
}

// backups returns the texts that Cove has put aside.
func backups(t *testing.T, s *shelf) (texts []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(string(s.Home), "backups", "clients", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		texts = append(texts, read(t, name))
	}

	return texts
}

func TestWhatWasThereBeforeComesBack(t *testing.T) {
	s := newShelf(t)
	file := s.path(client(t, "codex"), User)
	s.write(file, "---\nname: cove\n---\nmine\n")
	before := s.tree()
	action, err := s.remove("codex", User, SkillOptions{Force: true})
	must(t, action, err, "") // it is nobody's of ours
	_, err = s.install("codex", User, SkillOptions{})
	fails(t, err, fault.Conflict, "E_SKILL_CHANGED", "is not Cove's")
	action, err = s.install("codex", User, SkillOptions{Force: true})
	must(t, action, err, Updated)
	action, err = s.remove("codex", User, SkillOptions{})
	must(t, action, err, Removed)
	if s.tree() != before {
		t.Errorf("%s\nbecame\n%s", before, s.tree())
	}
}

func TestAnOlderSkillIsUpdatedAndANewerOneStays(t *testing.T) {
	s := newShelf(t)
	gemini := client(t, "gemini")
	action, err := s.install("gemini", Project, SkillOptions{})
	must(t, action, err, Added)
	file := s.path(gemini, Project)
	s.older(file)
	if found := s.Skills(gemini); len(found) != 2 || found[0].Status != SkillMissing || found[1].Status != SkillOlder ||
		found[1].Next() != "Update it with: cove skills install gemini --scope project" {
		t.Fatalf("%+v", found)
	}
	action, err = s.install("gemini", Project, SkillOptions{})
	must(t, action, err, Updated)
	if found := s.Skills(gemini); found[1].Status != SkillFound || found[1].Next() != "" {
		t.Fatalf("%+v", found)
	}

	number := fmt.Sprintf("cove-skill: %q", fmt.Sprint(skill.Cove().Number))
	s.write(file, strings.Replace(skill.Cove().Text, number, `cove-skill: "999"`, 1))
	if found := s.Skills(gemini); found[1].Status != SkillNewer || found[1].Number != 999 {
		t.Fatalf("%+v", found)
	}
	_, err = s.install("gemini", Project, SkillOptions{})
	fails(t, err, fault.Conflict, "E_SKILL_CHANGED", "newer Cove")
}

func TestAnOlderSkillIsNoticed(t *testing.T) {
	s, number := newShelf(t), skill.Cove().Number
	if file, command := olderSkill(s.Env, number+1); file != "" || command != "" {
		t.Fatalf("%s, %s", file, command)
	}
	for _, scope := range []Scope{Project, User} {
		action, err := s.install("claude-code", scope, SkillOptions{})
		must(t, action, err, Added)
		if file, _ := OlderSkill(s.Env); file != "" {
			t.Fatalf("this Cove's own skill is older: %s", file)
		}
		want := map[Scope]string{User: "cove skills install claude-code",
			Project: "cove skills install claude-code --scope project"}[scope]
		if _, command := olderSkill(s.Env, number+1); command != want {
			t.Errorf("%s: %q", scope, command)
		}
		further := s.Env
		further.Dir = s.Env.dir("further", "down")
		s.write(s.Env.Real(s.Env.dir(".git", "HEAD")), "ref: refs/heads/main")
		if file, _ := olderSkill(further, number+1); file == "" {
			t.Errorf("%s: it is not found further down in the repository", scope)
		}
	}
	s.write(s.path(client(t, "claude-code"), User), "---\nname: cove\n---\nsomebody else's\n")
	if file, _ := olderSkill(s.Env, number+1); !strings.HasPrefix(file, s.Env.Dir) {
		t.Errorf("%q", file)
	}
}

func TestLinksThatLeadElsewhereAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		scope Scope
		link  []string // below the home or the project
		to    string
	}{
		"the file itself":           {User, []string{".agents", "skills", "cove", skill.File}, "elsewhere/file"},
		"its folder":                {User, []string{".agents", "skills", "cove"}, "elsewhere"},
		"a folder that is not here": {User, []string{".agents"}, "nowhere"},
		"out of a project":          {Project, []string{".agents", "skills"}, "elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			root := s.Env.Real(s.Env.Home)
			s.write(filepath.Join(root, "elsewhere", "file"), "---\nname: cove\n---\n")
			base := root
			if c.scope == Project {
				base = s.Env.Real(s.Env.Dir)
			}
			link := filepath.Join(append([]string{base}, c.link...)...)
			if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(root, c.to), link); err != nil {
				t.Fatal(err)
			}
			before := s.tree()
			_, err := s.install("codex", c.scope, SkillOptions{Force: true})
			fails(t, err, fault.Denied, "E_UNWRITABLE", "is a link to", "Remove the link", "cove skills get cove")
			if s.tree() != before {
				t.Error("something was written")
			}
		})
	}
}

func TestWhatCannotBeWrittenHasANextStep(t *testing.T) {
	s := newShelf(t)
	file := s.path(client(t, "codex"), User)
	s.write(file, strings.Replace(skill.Cove().Text, "# cove page", "# mine", 1))
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	_, err := s.install("codex", User, SkillOptions{Force: true})
	fails(t, err, fault.Denied, "E_UNWRITABLE", "it is read-only", "Make it writable", "cove skills get cove")
	if l, err := loadLedger(s.Home); err != nil || len(l.Skills) > 0 {
		t.Errorf("%+v, %v", l.Skills, err)
	}

	s = newShelf(t)
	s.write(s.Env.Real(s.Env.home(".agents")), "a file in place of the folder")
	_, err = s.install("codex", User, SkillOptions{})
	fails(t, err, fault.Denied, "E_UNREADABLE", ".agents/skills/cove/SKILL.md")
}

func TestClientsAndScopesWithoutSkills(t *testing.T) {
	s := newShelf(t)
	_, err := s.install("zed", User, SkillOptions{})
	fails(t, err, fault.NotFound, "E_NO_SKILL", "Zed", "claude-code, cursor")
	_, err = s.install("codex", Local, SkillOptions{})
	fails(t, err, fault.Invalid, "E_INVALID", "not a scope of skills", "user or project")
	s.Env.LookPath = func(string) (string, error) { return "", errors.New("no") }
	_, err = s.install("codex", User, SkillOptions{})
	fails(t, err, fault.NotFound, "E_NOT_INSTALLED", "Codex")
}

// isRefused reports whether somebody's text was in the way.
func isRefused(err error) bool { return err != nil && fault.From(err).Code == fault.CodeSkillChanged }

// TestRandomSkills: clients come and go, and somebody edits and deletes the file, in any order. Cove never overwrites
// or removes a text that somebody else has written, and at the end everything is as it was.
func TestRandomSkills(t *testing.T) {
	names := skilled()
	for seed := range uint64(300 / racetest.Slower) {
		random := rand.New(rand.NewPCG(seed, 16))
		s := newShelf(t)
		before := s.tree()
		users := map[string]map[string]bool{} // the clients of each file
		for step := range 20 {
			name := names[random.IntN(len(names))]
			scope := []Scope{User, Project}[random.IntN(2)]
			file := s.path(client(t, name), scope)
			raw, err := os.ReadFile(file)
			there, text := err == nil, string(raw)
			mine := there && text != skill.Cove().Text
			what := fmt.Sprintf("seed %d, step %d, %s in %s, %q", seed, step, name, scope, text)
			switch random.IntN(5) {
			case 0, 1:
				action, err := s.install(name, scope, SkillOptions{})
				if mine != isRefused(err) {
					t.Fatalf("%s: install %q, %v", what, action, err)
				}
				if err == nil {
					if users[file] == nil {
						users[file] = map[string]bool{}
					}
					users[file][name] = true
				}
			case 2, 3:
				others := len(users[file]) > 1 || len(users[file]) == 1 && !users[file][name]
				action, err := s.remove(name, scope, SkillOptions{})
				refused := isRefused(err)
				switch want := map[bool]string{true: Retained, false: Removed}[others]; {
				case !there && (err != nil || action != ""), there && others && action != want,
					there && !others && mine != refused, there && !others && !mine && action != want:
					t.Fatalf("%s: remove %q, %v", what, action, err)
				}
				if !refused {
					delete(users[file], name)
				}
				if !there {
					delete(users, file)
				}
			case 4:
				if there && random.IntN(2) == 0 {
					s.write(file, skill.Cove().Text+fmt.Sprintf("edit %d\n", step))
				} else if there {
					_ = os.Remove(file)
				}
			}
			if now, err := os.ReadFile(file); mine && err == nil && string(now) == skill.Cove().Text {
				t.Fatalf("%s was overwritten", what)
			}
		}

		for _, name := range names {
			if _, err := s.remove(name, "", SkillOptions{Force: true}); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if now := s.tree(); now != before {
			t.Fatalf("seed %d left\n%s", seed, now)
		}
	}
}
