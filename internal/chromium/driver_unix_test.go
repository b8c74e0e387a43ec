//go:build unix

package chromium

import (
	"os"
	"path/filepath"
	"testing"
)

// program writes a program that reports a version.
func program(t *testing.T, name, version string) {
	t.Helper()
	text := "#!/bin/sh\necho ChromeDriver " + version + " '(abc)'\n"
	if err := os.WriteFile(name, []byte(text), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
}

func TestFindDriver(t *testing.T) {
	folder, links, onPath := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("PATH", onPath+":"+os.Getenv("PATH"))
	program(t, filepath.Join(folder, "chrome"), "148.0.1.2")
	link := filepath.Join(links, "chrome")
	if err := os.Symlink(filepath.Join(folder, "chrome"), link); err != nil {
		t.Fatal(err)
	}
	b := Browser{Path: link, Version: "148.0.1.2"}
	find := func(want string) {
		t.Helper()
		if got := FindDriver(t.Context(), b); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}

	program(t, filepath.Join(onPath, "chromedriver"), "147.0.9.9")
	find("") // of another version, and the one of this computer is behind it on the path
	program(t, filepath.Join(onPath, "chromedriver"), "148.0.9.9")
	find(filepath.Join(onPath, "chromedriver"))
	program(t, filepath.Join(folder, "chromedriver"), "148.0.0.1")
	find(filepath.Join(folder, "chromedriver"))
	program(t, filepath.Join(links, "chromedriver"), "148.0.0.1")
	find(filepath.Join(links, "chromedriver"))
	b.Version = ""
	find("")
}
