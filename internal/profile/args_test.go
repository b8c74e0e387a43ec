package profile

import (
	"slices"
	"strings"
	"testing"

	"cove/internal/fault"
)

// longestWord is the longest plain value of an argument, in bytes.
const longestWord = 200

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
