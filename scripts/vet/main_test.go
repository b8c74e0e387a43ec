package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestVet(t *testing.T) {
	for _, test := range []struct {
		name, file, source string
		want               []string // the ends of the lines, for Windows
	}{
		{"nothing is wrong", "a.go", "package a\n", nil},
		{"only another system's file is wrong", "a_darwin.go", "package a\n\nvar x int = true\n", nil},
		{"it does not compile", "a_windows.go", "package a\n\nvar x int = true\n",
			[]string{"cannot use true (untyped bool constant) as int value in variable declaration"}},
		{"a test does not compile", "a_test.go", "package a\n\nfunc f() { g() }\n", []string{"undefined: g"}},
		{"a lock is copied", "a_windows.go", "package a\n\nimport \"sync\"\n\nfunc f(m sync.Mutex) {}\n",
			[]string{"f passes lock by value: sync.Mutex"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), "module a\n\ngo 1.26\n")
			write(t, filepath.Join(dir, "doc.go"), "package a\n")
			write(t, filepath.Join(dir, test.file), test.source)

			got, err := vet(dir, "windows")
			if err != nil {
				t.Fatal(err)
			}
			ends := func(line, end string) bool { return strings.HasSuffix(line, ": "+end) }
			if !slices.EqualFunc(got, test.want, ends) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()

	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
