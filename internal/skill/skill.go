// Package skill holds the guide that agents in a shell read: how they work with `cove page`. The texts are a part of
// the program, so that a guide and the commands that it names are of one version.
package skill

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"

	"cove/internal/fault"
)

// File is the name of the file that agents look for, in a folder with the skill's name.
const File = "SKILL.md"

//go:embed texts
var texts embed.FS

// Skill is one guide. Text is the file that is installed; its references stay in the program, and agents ask for one
// when they need it.
type Skill struct {
	Name, Description string
	// Number grows with each released change of Text.
	Number     int
	Text       string
	References []Reference
}

// Reference is a further part of a guide. Title says in a few words what it is about.
type Reference struct{ Name, Title, Text string }

// All returns every skill. Callers must not change the result.
func All() []Skill { return all() }

// Cove returns the skill that clients get.
func Cove() Skill { return All()[0] }

var all = sync.OnceValue(func() []Skill {
	return []Skill{load("cove", "login", "debug", "files", "page-tools")}
})

func load(name string, references ...string) Skill {
	s := Skill{Name: name, Text: read(name + "/" + File)}
	s.Description = field([]byte(s.Text), "description")
	s.Number, _ = Number([]byte(s.Text))
	for _, one := range references {
		text := read(name + "/references/" + one + ".md")
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		s.References = append(s.References, Reference{Name: one, Title: title, Text: text})
	}

	return s
}

func read(name string) string {
	raw, err := texts.ReadFile("texts/" + name)
	if err != nil {
		panic(err) // a part of the program is missing
	}

	return string(raw)
}

// Find returns the skill with that name.
func Find(name string) (Skill, error) {
	var names []string
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}

	return Skill{}, fault.New(fault.CodeNoSkill, "Cove has no skill named \""+name+"\".",
		fault.Suggest(name, names...)+"`cove skills list` shows them.")
}

// Reference returns the reference with that name.
func (s Skill) Reference(name string) (Reference, error) {
	var names []string
	for _, one := range s.References {
		if one.Name == name {
			return one, nil
		}
		names = append(names, one.Name)
	}

	return Reference{}, fault.New(fault.CodeNoSkill, "The skill "+s.Name+" has no reference named \""+name+"\".",
		fault.Suggest(name, names...)+"It has: "+strings.Join(names, ", ")+".")
}

// Number returns the number in the head of an installed file. ok is false for a file that is no skill of Cove's.
func Number(text []byte) (number int, ok bool) {
	number, err := strconv.Atoi(strings.Trim(field(text, "cove-skill"), `"'`))
	return number, err == nil && number > 0
}

// field returns a value of the head, which stands between two lines of dashes, or "" if there is none.
func field(text []byte, key string) string {
	const fence = "---"
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		switch {
		case i == 0 && string(line) != fence, i > 0 && string(line) == fence:
			return ""
		}
		if value, ok := bytes.CutPrefix(line, []byte(key+":")); ok {
			return string(bytes.TrimSpace(value))
		}
	}

	return ""
}

// Sum identifies a text. Git may write the line ends of a text in another way, which does not change its sum.
func Sum(text []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

// IsReleased reports whether a text is, letter for letter, the text of some release of Cove, this one included.
func IsReleased(text []byte) bool { return released()[Sum(text)] }

var released = sync.OnceValue(func() map[string]bool {
	sums := map[string]bool{}
	for line := range strings.Lines(read("released.txt")) {
		if words := strings.Fields(line); len(words) == 3 {
			sums[words[2]] = true
		}
	}

	return sums
})
