package profile

import (
	"bufio"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"cove/internal/fault"
)

var update = flag.Bool("update", false, "write testdata/switches.txt and docs/arguments.md anew")

// testdata/switches.txt holds the switches that the strings of Chromium 156's binary show, with those of other versions
// that Cove passes on, and what was decided of each. It is read line by line when the table changes: whoever lets one
// more pass sees it in the difference.
func TestEverySwitchIsDecided(t *testing.T) {
	const name = "testdata/switches.txt"
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	decided := map[string]verdict{}
	lines := bufio.NewScanner(strings.NewReader(string(raw)))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) > 0 && fields[0] != "#" {
			decided[fields[0]] = verdict(fields[len(fields)-1])
		}
	}
	if len(decided) < 1000 {
		t.Fatalf("the list holds %d names only", len(decided))
	}
	if *update {
		writeDecided(t, name, decided)
		return
	}
	for name, want := range decided {
		if got := verdictOf(name); got != want {
			t.Errorf("--%s is %s, and the list says %s", name, got, want)
		}
	}
	for name := range switches() {
		if decided[name] == "" {
			t.Errorf("--%s is not in the list", name)
		}
	}
}

func verdictOf(name string) verdict {
	if r, ok := switches()[name]; ok {
		return r.verdict
	}
	return refused
}

func writeDecided(t *testing.T, name string, decided map[string]verdict) {
	t.Helper()
	for name := range switches() {
		decided[name] = ""
	}
	var out strings.Builder
	out.WriteString("# Browser switches and what was decided of each; see args_test.go.\n")
	for _, name := range slices.Sorted(maps.Keys(decided)) {
		out.WriteString(name + " " + string(verdictOf(name)) + "\n")
	}
	if err := os.WriteFile(name, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheDocumentListsWhatIsPassedOn(t *testing.T) {
	const name = "../../docs/arguments.md"
	want := document()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s is stale (%v): go test ./internal/profile -update", name, err)
	}
}

func document() string {
	var out strings.Builder
	out.WriteString(`# Browser arguments that Cove passes on

<!-- Written by: go test ./internal/profile -update -->

A profile (` + "`args`, `cove profile edit ID --arg=--mute-audio`) and the setting `browser_args`" +
		` take these. Cove refuses all others, because a
browser has more than a thousand and many of them run programs, write files or turn protection off. What has a field of its own in the profile, such
as the proxy, is set there.
`)
	title := ""
	for _, g := range groups {
		if g.title != title {
			title = g.title
			out.WriteString("\n## " + title + "\n\n")
			if g.verdict == person {
				out.WriteString("An API token cannot set these; the person can, in the window or on the command " +
					"line, with the PIN where there is one.\n\n")
			}
		}
		for _, name := range g.names {
			out.WriteString("- `--" + name + "`\n")
		}
	}
	out.WriteString("\n## Names for `--enable-features` and `--disable-features`\n\n")
	for _, name := range slices.Sorted(maps.Keys(features())) {
		out.WriteString("- `" + name + "`" +
			map[string]string{"on": ", only to turn it on", "off": ", only to turn it off"}[features()[name]] + "\n")
	}
	return out.String()
}

func argError(arg string) error {
	p := Profile{Name: "x", Args: []string{arg}}
	return p.Clean()
}

func TestArgs(t *testing.T) {
	for _, arg := range []string{"--mute-audio", "--force-dark-mode", "-lang=de", "--LANG=de-AT",
		"--js-flags=--expose-gc --max-old-space-size=4096", "--window-size=1280,800", "--window-position=-10,0",
		"--force-device-scale-factor=1.5", "--autoplay-policy=no-user-gesture-required",
		"--disable-features=Translate,MediaRouter, OptimizationHints",
		"--enable-features=OverlayScrollbar,IsolateOrigins",
		"--blink-settings=imagesEnabled=false,forceDarkModeEnabled=true", "--user-agent=Cove Test/7",
		"--isolate-origins=https://a.example,https://b.example:8443", "--load-extension=/home/me/my extension",
		"--start-maximized", "--disable-gpu", "--use-angle=swiftshader", "--no-first-run",
		"--disk-cache-size=104857600", "--use-gl=" + strings.Repeat("x", longestWord),
		"--lang=" + strings.Repeat("x", longestWord)} {
		if err := argError(arg); err != nil {
			t.Errorf("%s: %v", arg, err)
		}
	}
	for _, arg := range []string{
		"--remote-debugging-port=0", "-remote-debugging-port=9222", "--REMOTE-debugging-Port=1",
		"--remote-debugging-pipe", "--remote-debugging-address=0.0.0.0",
		"--remote-debugging-io-pipes=1,2", "--user-data-dir=/tmp/x", "--User-Data-Dir=x", "---user-data-dir=x",
		"--incognito", "--headless=old", "--no-sandbox",
		"https://example.com", "user-data-dir=/x", "--", "-", "-- user-data-dir=x", "--user-data-dir\n=x",
		"--proxy-server=direct://", "--renderer-cmd-prefix=sh",
		// What runs programs or loads libraries.
		"--zygote-cmd-prefix=/bin/x", "--utility-cmd-prefix=/bin/x", "--gpu-launcher=/bin/x",
		"--ppapi-plugin-launcher=/bin/x", "--browser-subprocess-path=/bin/x", "--test-gl-lib=/tmp/x.so",
		"--clear-key-cdm-path-for-testing=/tmp/x", "--alsa-output-device=file:|x", "--load-apps=/tmp/x",
		"--pack-extension=/tmp/x", "--register-pepper-plugins=/tmp/x", "--diagnostics", "--make-default-browser",
		// What turns sandboxes and walls off.
		"--disable-seccomp-filter-sandbox", "--disable-namespace-sandbox", "--disable-gpu-sandbox",
		"--disable-setuid-sandbox", "--disable-landlock-sandbox", "--no-zygote", "--no-zygote-sandbox",
		"--no-unsandboxed-zygote", "--allow-sandbox-debugging", "--single-process", "--in-process-gpu",
		"--disable-web-security", "--disable-site-isolation-trials", "--allow-file-access-from-files",
		"--ignore-certificate-errors", "--ignore-certificate-errors-spki-list=x", "--allow-running-insecure-content",
		"--unsafely-treat-insecure-origin-as-secure=http://x.example", "--test-type",
		"--enable-features=NetworkServiceInProcess2", "--disable-features=IsolateOrigins",
		"--disable-features=Translate,site-per-process", "--enable-features=Translate:x/y",
		"--enable-features=Translate<Study.Group",
		"--disable-features=WebRtcHideLocalIpsWithMdns", "--disable-features=LocalNetworkAccessChecks",
		"--enable-blink-features=MojoJS", "--disable-blink-features=AutomationControlled",
		"--blink-settings=webSecurityEnabled=false",
		"--blink-settings=imagesEnabled=false,allowFileAccessFromFileURLs=true", "--js-flags=--allow-natives-syntax",
		"--js-flags=--expose-gc,--logfile=/tmp/x",
		// What watches, moves data and writes files.
		"--log-file=/tmp/x", "--enable-logging=stderr", "--trace-startup-file=/tmp/x", "--ssl-key-log-file=/tmp/x",
		"--print-to-pdf=/tmp/x", "--screenshot=/tmp/x", "--dump-dom", "--silent-debugger-extension-api",
		"--auto-open-devtools-for-tabs", "--use-file-for-fake-video-capture=/etc/passwd",
		"--variations-server-url=http://x.example", "--host-resolver-rules=MAP * 127.0.0.1",
		// Other ways to write one.
		"/no-sandbox", "--no-sandbox ", "\t--no-sandbox", "--mute-audio --no-sandbox", "\"--no-sandbox\"",
		"--mute-audio\x00--no-sandbox", "−−no-sandbox", "--no_sandbox", "--mute-audio/../x",
		"--window-size=1,1 --no-sandbox",
		"--use-gl=" + strings.Repeat("x", longestWord+1), "--lang=" + strings.Repeat("x", longestWord+1), "--lang=",
	} {
		err := argError(arg)
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q passed: %v", arg, err)
			continue
		}
		if fault.From(err).Hint == "" && !strings.Contains(err.Error(), "control") {
			t.Errorf("%q: there is no next step in %v", arg, err)
		}
	}
}

func TestArgumentsAreKeptAsTheBrowserReadsThem(t *testing.T) {
	p := Profile{Name: "x", Args: []string{"-MUTE-audio", "--User-Agent=A=B c", "-window-size=1,2"}}
	if err := p.Clean(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"--mute-audio", "--user-agent=A=B c", "--window-size=1,2"}; !slices.Equal(p.Args, want) {
		t.Errorf("got %q", p.Args)
	}
	if got := (Profile{Args: []string{"--mute-audio", "--Load-Extension=/x"}}).
		PersonsArgs(); !slices.Equal(got, []string{"--Load-Extension=/x"}) {
		t.Errorf("the person's: %q", got)
	}
}
