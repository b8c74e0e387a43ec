package chromium

import (
	"testing"

	"cove/internal/process"
)

func TestABrowserIsToldFromItsHelpers(t *testing.T) {
	const dir = "/home/me/.cove/browser_profiles/1/data_dir"
	for name, c := range map[string]struct {
		args []string
		want bool
	}{
		"a driven browser":   {[]string{"/usr/lib/chromium", "--user-data-dir=" + dir, "--remote-debugging-pipe"}, true},
		"a person's browser": {[]string{"/usr/lib/chromium", "--user-data-dir=" + dir}, false},
		"of another profile": {[]string{"chromium", "--user-data-dir=" + dir[:20], "--remote-debugging-pipe"}, false},
		"a helper": {
			[]string{"chromium", "--type=utility", "--remote-debugging-pipe", "--user-data-dir=" + dir}, false,
		},
		"a helper with one argument": {
			[]string{"chromium --type=zygote --remote-debugging-pipe --user-data-dir=" + dir}, false,
		},
	} {
		if got := isDriven(dir, process.Info{Args: c.args}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		owns := c.want || name == "a person's browser"
		if _, got := ownerOf(dir, process.Info{Args: c.args}); got != owns {
			t.Errorf("%s is an owner: %t", name, got)
		}
	}
}
