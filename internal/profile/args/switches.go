package args

import (
	"regexp"
	"sync"
)

// verdict says who may give a browser a switch.
type verdict string

const (
	allowed verdict = "allowed" // anybody who can change the profile
	person  verdict = "person"  // only the person: it lets code or pages do more
	refused verdict = "refused" // nobody
)

// rule says whether Cove passes a switch on, and which values it can have.
type rule struct {
	verdict verdict
	value   func(string) string // says what is wrong with a value; "" for nothing
}

// group holds switches of one kind.
type group struct {
	title   string
	verdict verdict
	value   func(string) string
	names   []string
}

// groups are the switches that Cove passes on. It refuses all others: Chromium has more than a thousand, each version
// has new ones, and many run programs, open files or turn protection off. testdata/switches.txt holds the names that
// were found in the binary, and the decision on each.
var groups = []group{
	{"The window and what it looks like", allowed, plain,
		[]string{"window-size", "window-position", "window-workspace", "start-maximized", "start-fullscreen", "kiosk",
			"hide-scrollbars", "default-background-color",
			"force-device-scale-factor", "high-dpi-support", "force-color-profile", "force-raster-color-profile",
			"force-dark-mode", "force-high-contrast",
			"force-prefers-reduced-motion", "force-prefers-no-reduced-motion", "force-text-direction",
			"force-ui-direction", "force-caption-style", "font-render-hinting",
			"disable-font-subpixel-positioning", "disable-lcd-text", "enable-lcd-text", "system-font-family",
			"ui-toolkit", "gtk-version", "wm-window-animations-disabled",
			"ozone-platform", "ozone-platform-hint", "ozone-override-screen-size", "class"}},
	{"The window and what it looks like", allowed, text, []string{"window-name"}},
	{"Language and input", allowed, languages, []string{"lang", "accept-lang", "forced-translate-language"}},
	{"Language and input", allowed, plain,
		[]string{"force-renderer-accessibility", "disable-renderer-accessibility",
			"disable-platform-accessibility-integration", "enable-caret-browsing",
			"enable-spatial-navigation", "disable-smooth-scrolling", "enable-smooth-scrolling", "disable-pinch",
			"pull-to-refresh", "touch-events", "touch-devices",
			"touch-slop-distance", "disable-virtual-keyboard", "enable-wayland-ime", "disable-wayland-ime",
			"wayland-text-input-version", "allow-gtk-wayland-im", "disable-gtk-ime",
			"enable-speech-dispatcher"}},
	{"Drawing", allowed, plain, []string{"disable-gpu", "enable-gpu", "disable-gpu-compositing",
		"disable-gpu-rasterization", "enable-gpu-rasterization", "disable-gpu-vsync", "disable-gpu-early-init",
		"disable-gpu-watchdog", "disable-gpu-shader-disk-cache", "disable-gpu-memory-buffer-video-frames",
		"disable-gpu-memory-buffer-compositor-resources",
		"enable-gpu-memory-buffer-video-frames", "enable-native-gpu-memory-buffers", "disable-frame-rate-limit",
		"disable-software-rasterizer",
		"disable-software-compositing-fallback", "disable-accelerated-2d-canvas", "disable-accelerated-video-decode",
		"disable-accelerated-video-encode",
		"disable-accelerated-mjpeg-decode", "disable-2d-canvas-clip-aa", "disable-canvas-aa", "enable-zero-copy",
		"disable-zero-copy", "disable-partial-raster",
		"disable-threaded-compositing", "disable-threaded-animation", "disable-checker-imaging",
		"disable-image-animation-resync", "disable-composited-antialiasing",
		"disable-webgl", "disable-webgl2", "disable-3d-apis", "enable-webgl-draft-extensions",
		"webgl-antialiasing-mode", "webgl-msaa-sample-count", "max-active-webgl-contexts",
		"use-gl", "use-angle", "use-vulkan", "use-webgpu-adapter", "use-webgpu-power-preference",
		"disable-vulkan-surface", "enable-skia-graphite", "disable-skia-graphite",
		"ignore-gpu-blocklist", "force-high-performance-gpu", "gpu-disk-cache-size-kb", "num-raster-threads",
		"enable-hardware-overlays", "enable-prefer-compositing-to-lcd-text",
		"disable-prefer-compositing-to-lcd-text", "disable-yuv-image-decoding", "enable-low-end-device-mode",
		"disable-low-end-device-mode", "run-all-compositor-stages-before-draw",
		"disable-new-content-rendering-timeout", "max-decoded-image-size-mb", "show-fps-counter", "show-paint-rects",
		"show-composited-layer-borders", "show-layout-shift-regions"}},
	{"Sound and video", allowed, plain, []string{"mute-audio", "autoplay-policy", "audio-buffer-size",
		"disable-audio-output", "disable-audio-input", "disable-background-media-suspend", "video-threads",
		"mse-audio-buffer-size-limit-mb", "mse-video-buffer-size-limit-mb", "use-fake-device-for-media-stream",
		"disable-speech-api", "disable-speech-synthesis-api",
		"disable-rtc-smoothness-algorithm", "max-gum-fps", "enable-webrtc-pipewire-camera",
		"disable-remote-playback-api", "disable-presentation-api"}},
	{"What runs in the background, and how much memory and disk it takes", allowed, plain,
		[]string{"disable-background-timer-throttling", "disable-backgrounding-occluded-windows",
			"disable-renderer-backgrounding", "disable-back-forward-cache",
			"disable-best-effort-tasks", "disable-ipc-flooding-protection", "disable-pushstate-throttle",
			"disable-hang-monitor", "disable-dev-shm-usage", "disable-v8-idle-tasks",
			"renderer-process-limit", "disk-cache-size", "media-cache-size", "disable-lazy-loading",
			"enable-aggressive-domstorage-flushing", "disable-background-mode"}},
	{"What runs in the background, and how much memory and disk it takes", allowed, scriptFlags, []string{"js-flags"}},
	{"What the browser asks its maker and tells it", allowed, plain,
		[]string{"disable-background-networking", "disable-component-update", "disable-sync", "disable-default-apps",
			"disable-domain-reliability", "disable-breakpad",
			"disable-crash-reporter", "metrics-recording-only", "no-pings", "no-experiments",
			"disable-field-trial-config", "enable-field-trial-config", "disable-stack-profiler",
			"disable-client-side-phishing-detection", "disable-translate", "disable-top-sites",
			"disable-updater-scheduler", "disable-fetching-hints-at-navigation-start",
			"disable-quic", "enable-quic", "disable-http2", "dns-prefetch-disable",
			"disable-optimization-guide-model-downloads-for-benchmarking"}},
	{"Bars, bubbles and questions", allowed, plain,
		[]string{"no-first-run", "no-default-browser-check", "disable-infobars", "disable-notifications",
			"disable-popup-blocking", "disable-prompt-on-repost", "noerrdialogs",
			"disable-session-crashed-bubble", "hide-crash-restore-bubble", "disable-search-engine-choice-screen",
			"disable-dinosaur-easter-egg", "disable-auto-reload",
			"enable-auto-reload", "disable-print-preview", "use-system-default-printer", "disable-pdf-tagging",
			"auto-reject-capture", "auto-reject-this-tab-capture"}},
	{"What pages get less of", allowed, plain,
		[]string{"disable-extensions", "disable-component-extensions-with-background-pages", "disable-remote-fonts",
			"disable-shared-workers", "disable-file-system",
			"disable-reading-from-canvas", "disable-scroll-to-text-fragment", "no-referrers",
			"enable-potentially-annoying-security-features", "enable-strict-mixed-content-checking",
			"site-per-process", "enable-crx-hash-check", "disable-javascript-harmony-shipping"}},
	{"What pages get less of", allowed, origins, []string{"isolate-origins"}},
	{"What pages get less of", allowed, pageSettings, []string{"blink-settings"}},
	// Cove invents none of these; whoever sets one decides.
	{"The browser's own name for itself", allowed, text, []string{"user-agent"}},
	{"Features, by name", allowed, featuresOn, []string{"enable-features"}},
	{"Features, by name", allowed, featuresOff, []string{"disable-features"}},
	// These run code with an extension's rights, answer questions in the person's place, or enable code that its makers
	// call unsafe.
	{"The person's alone", person, nil, []string{"load-extension", "disable-extensions-except"}},
	{"The person's alone", person, plain,
		[]string{"use-fake-ui-for-media-stream", "enable-unsafe-swiftshader",
			"enable-experimental-web-platform-features", "enable-experimental-webassembly-features",
			"kiosk-printing"}},
}

// switches are the groups' switches by name.
var switches = sync.OnceValue(func() map[string]rule {
	all := map[string]rule{}
	for _, g := range groups {
		for _, name := range g.names {
			all[name] = rule{g.verdict, g.value}
		}
	}
	return all
})

// features are the names that enable-features and disable-features can hold. A feature can turn off site isolation, the
// way to the network or the sandbox of a process, so unknown features are refused.
var features = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for way, names := range map[string][]string{
		"both": {"AcceleratedVideoDecodeLinuxGL", "AcceleratedVideoDecodeLinuxZeroCopyGL", "AcceleratedVideoEncoder",
			"AcceptCHFrame", "AutofillServerCommunication",
			"AvoidUnnecessaryBeforeUnloadCheckSync", "AutoDeElevate", "BackForwardCache",
			"BoundaryEventDispatchTracksNodeRemoval", "CalculateNativeWinOcclusion", "CanvasOopRasterization",
			"CDPScreenshotNewSurface",
			"ChromeWhatsNewUI", "DefaultANGLEVulkan", "DestroyProfileOnBrowserClose", "DialMediaRouteProvider",
			"DownloadBubble", "DownloadBubbleV2", "FluentOverlayScrollbar",
			"FluentScrollbar", "GlobalMediaControls", "HardwareMediaKeyHandling", "HttpsUpgrades",
			"ImprovedCookieControls", "InfiniteSessionRestore", "IntensiveWakeUpThrottling",
			"InterestFeedContentSuggestions", "LazyFrameLoading", "LazyImageLoading", "LensOverlay", "MediaRouter",
			"MiddleClickAutoscroll", "OptimizationGuideModelDownloading", "OptimizationHints",
			"OptimizationHintsFetching", "OptimizationTargetPrediction", "OverlayScrollbar", "PaintHolding",
			"ParallelDownloading", "Prerender2", "PrivacySandboxSettings4", "RawDraw",
			"ReaderMode", "RenderDocument", "SidePanelPinning", "SkiaGraphite", "TabHoverCardImages",
			"TouchpadOverscrollHistoryNavigation", "Translate", "TranslateUI",
			"UseEcoQoSForBackgroundProcess", "UseOzonePlatform", "UseSkiaRenderer", "VaapiIgnoreDriverChecks",
			"VaapiVideoDecodeLinuxGL", "VaapiVideoDecoder", "VaapiVideoEncoder", "Vulkan",
			"VulkanFromANGLE", "WaylandWindowDecorations", "WebContentsForceDark", "WebRTCPipeWireCapturer",
			"WebUIDarkMode"},
		// These isolate sites: more of it, never less.
		"on": {"EncryptedClientHello", "HttpsFirstBalancedMode", "IsolateOrigins", "IsolateSandboxedIframes",
			"PdfOopif", "SitePerProcess", "StrictOriginIsolation"},
		// This is for load-extension, which only the person can set; alone it does nothing.
		"off": {"DisableLoadExtensionCommandLineSwitch"},
	} {
		for _, name := range names {
			all[name] = way
		}
	}
	return all
})

// pattern compiles an expression when it is first used: most commands never read an argument.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// scriptFlag matches the V8 flags that js-flags can hold. Others write files, call the engine's internal functions or
// weaken it.
var scriptFlag = pattern(`^--?(expose[-_]gc|((max[-_](old|semi)[-_]space|min[-_]semi[-_]space|` +
	`initial[-_](old[-_]space|heap)|max[-_]heap|stack)[-_]size)=[0-9]{1,6}|` +
	`jitless|no-opt|lite[-_]mode|optimize[-_]for[-_]size)$`)

// pageSetting matches the page settings that blink-settings can hold. Others turn off what isolates pages.
var pageSetting = pattern(`^(imagesEnabled|loadsImagesAutomatically|forceDarkModeEnabled|` +
	`forceDarkModeInversionAlgorithm|forceDarkModeImagePolicy|forceDarkModePagePolicy|forceDarkModeContrast|` +
	`forceDarkModeTextBrightnessThreshold|preferredColorScheme|prefersReducedMotion|minimumFontSize|` +
	`minimumLogicalFontSize|defaultFontSize|defaultFixedFontSize|` +
	`hideScrollbars|scrollAnimatorEnabled|textAreasAreResizable|shrinksViewportContentToFit)=[A-Za-z0-9.-]{1,20}$`)

// reasons says why well-known switches are refused. A name that ends in * stands for every name with that prefix; the
// first match wins.
var reasons = []struct{ name, why string }{
	{"remote-debugging-*", "it opens a debugging port that does not pass Cove's gate"},
	{"remote-allow-origins", "it opens the debugging port to web pages"},
	{"devtools-*", "it changes how the browser can be debugged"},
	{"auto-open-devtools-for-tabs", "it changes how the browser can be debugged"},
	{"enable-unsafe-extension-debugging", "it lets a debugger install extensions"},
	{"silent-debugger-extension-api", "it lets extensions debug pages unseen"},
	{"user-data-dir", "it moves the profile's data out of its folder"},
	{"profile-directory", "it moves the profile's data out of its folder"},
	{"data-path", "it moves the profile's data out of its folder"},
	{"disk-cache-dir", "it moves the profile's data out of its folder"},
	{"crash-dumps-dir", "it moves the profile's data out of its folder"},
	{"temp-profile", "it moves the profile's data out of its folder"},
	{"incognito", "it would not save the profile's logins"},
	{"guest", "it would not save the profile's logins"},
	{"bwsi", "it would not save the profile's logins"},
	{"headless", "Cove sets it at each start"},
	{"no-startup-window", "Cove needs a page to tell when the browser is ready"},
	{"app", "Cove decides which pages open"},
	{"app-id", "Cove decides which pages open"},
	{"restore-last-session", "Cove decides which pages open"},
	{"proxy-server", "use the profile's proxy setting instead"},
	{"proxy-pac-url", "use the profile's proxy setting instead"},
	{"proxy-auto-detect", "use the profile's proxy setting instead"},
	{"no-proxy-server", "use the profile's proxy setting instead"},
	{"winhttp-proxy-resolver", "use the profile's proxy setting instead"},
	{"proxy-*", "traffic could bypass the profile's proxy"},
	{"host-resolver-rules", "traffic could bypass the profile's proxy"},
	{"host-rules", "traffic could bypass the profile's proxy"},
	{"webrtc-ip-handling-policy", "traffic could bypass the profile's proxy"},
	{"force-webrtc-ip-handling-policy", "traffic could bypass the profile's proxy"},
	{"webrtc-udp-port-range", "traffic could bypass the profile's proxy"},
	{"password-store", "changing it makes saved logins unreadable"},
	{"use-mock-keychain", "changing it makes saved logins unreadable"},
	{"enable-automation", "Cove sets it at each start"},
	{"zygote-cmd-prefix", "it runs another program"},
	{"renderer-cmd-prefix", "it runs another program"},
	{"utility-cmd-prefix", "it runs another program"},
	{"ppapi-plugin-launcher", "it runs another program"},
	{"gpu-launcher", "it runs another program"},
	{"browser-subprocess-path", "it runs another program"},
	{"load-and-launch-app", "it runs another program"},
	{"single-process", "it weakens the isolation of sites"},
	{"in-process-gpu", "it turns off the browser's sandbox"},
	{"disable-web-security", "it weakens the isolation of sites"},
	{"disable-site-isolation-trials", "it weakens the isolation of sites"},
	{"no-sandbox", "it turns off the browser's sandbox"},
	{"no-zygote*", "it turns off the browser's sandbox"},
	{"disable-setuid-sandbox", "it turns off the browser's sandbox"},
	{"disable-seccomp-filter-sandbox", "it turns off the browser's sandbox"},
	{"disable-namespace-sandbox", "it turns off the browser's sandbox"},
	{"disable-landlock-sandbox", "it turns off the browser's sandbox"},
	{"disable-gpu-sandbox", "it turns off the browser's sandbox"},
	{"allow-file-access-from-files", "it opens your files to pages"},
	{"ignore-certificate-errors*", "it turns off checks of a site's identity"},
	{"allow-insecure-localhost", "it turns off checks of a site's identity"},
	{"unsafely-treat-insecure-origin-as-secure", "it turns off checks of a site's identity"},
	{"allow-running-insecure-content", "it turns off checks of a site's identity"},
	{"log-net-log", "it writes cookies and passwords to a file"},
	{"ssl-key-log-file", "it writes the keys of encrypted traffic to a file"},
	{"log-file", "it writes to a file of its choice"},
	{"enable-blink-features", "it can give pages dangerous features"},
	{"disable-blink-features", "it can break what pages rely on"},
}
