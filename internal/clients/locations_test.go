package clients

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLocationsHasEveryFileOfEveryClient(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("CODEX_HOME", filepath.Join(home, "elsewhere"))
	files, names := Locations()
	e, err := Here(filepath.Join(home, "project"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Table() {
		for _, file := range c.User(e) {
			if !slices.Contains(files, file) {
				t.Errorf("%s: %s is missing", c.Name, file)
			}
		}
		if c.Skills != nil && (filepath.Base(c.Skills(e, User)) != "skills" ||
			!slices.Contains(names, "skills/*/SKILL.md")) {
			t.Errorf("%s: its skills are missing", c.Name)
		}
		if c.Project == nil {
			continue
		}
		for _, file := range c.Project(e) {
			ends := func(name string) bool { return strings.HasSuffix(filepath.ToSlash(file), "/project/"+name) }
			if !slices.ContainsFunc(names, ends) {
				t.Errorf("%s: %s is missing", c.Name, file)
			}
		}
	}
	for _, file := range []string{filepath.Join(home, "elsewhere", "config.toml"),
		filepath.Join(home, ".codex", "config.toml")} {
		if !slices.Contains(files, file) {
			t.Errorf("%s is missing", file)
		}
	}
}
