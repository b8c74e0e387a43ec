package api

// Fingerprint is what the installed browser shows to every page. Scripts for Dolphin ask for it before they create a
// profile. It is the same for each profile: Cove changes none of these values.
type Fingerprint struct {
	UserAgent           string                `json:"userAgent"`
	Platform            string                `json:"platform"`
	PlatformVersion     string                `json:"platformVersion"`
	UAFullVersion       string                `json:"uaFullVersion"`
	AppCodeName         string                `json:"appCodeName"`
	AppVersion          string                `json:"appVersion"`
	Product             string                `json:"product"`
	ProductSub          string                `json:"productSub"`
	Vendor              string                `json:"vendor"`
	VendorSub           string                `json:"vendorSub"`
	Language            string                `json:"language"`
	Languages           string                `json:"languages"` // with commas, as Dolphin sends them
	DoNotTrack          bool                  `json:"donottrack"`
	DeviceMemory        int                   `json:"deviceMemory"` // GiB, at least 1
	HardwareConcurrency int                   `json:"hardwareConcurrency"`
	MaxTouchPoints      int                   `json:"maxTouchPoints"`
	Screen              FingerprintScreen     `json:"screen"`
	Connection          FingerprintConnection `json:"connection"`
	CPU                 FingerprintCPU        `json:"cpu"`
	OS                  FingerprintOS         `json:"os"`
	Browser             FingerprintBrowser    `json:"browser"`
	WebGL               FingerprintWebGL      `json:"webgl"`
	WebGL2Maximum       map[string]any        `json:"webgl2Maximum"`
	// Fonts and Voices are JSON lists in a text, as Dolphin sends them, and WebGPU is a text. They are empty.
	Fonts       string `json:"fonts"`
	Voices      string `json:"voices"`
	WebGPU      string `json:"webgpu"`
	BrowserType string `json:"browserType"`
}

// FingerprintScreen is the screen of a browser without a window.
type FingerprintScreen struct {
	Width       int     `json:"width"`
	Height      int     `json:"height"`
	AvailWidth  int     `json:"availWidth"`
	AvailHeight int     `json:"availHeight"`
	ColorDepth  int     `json:"colorDepth"`
	PixelDepth  int     `json:"pixelDepth"`
	PixelRatio  float64 `json:"devicePixelRatio"`
}

// FingerprintConnection is what the browser says of the network.
type FingerprintConnection struct {
	Downlink      float64 `json:"downlink"`
	RTT           int     `json:"rtt"`
	EffectiveType string  `json:"effectiveType"`
	SaveData      bool    `json:"saveData"`
}

// FingerprintCPU names the processor's architecture.
type FingerprintCPU struct {
	Architecture string `json:"architecture"`
}

// FingerprintOS is the operating system: Windows, macOS or Linux.
type FingerprintOS struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// FingerprintBrowser is the browser's version, in full and as its first number.
type FingerprintBrowser struct {
	Name         string `json:"name"`
	Version      string `json:"version"`
	ShortVersion int    `json:"shortVersion"`
}

// FingerprintWebGL names the graphics card.
type FingerprintWebGL struct {
	Vendor           string `json:"vendor"`
	Renderer         string `json:"renderer"`
	UnmaskedVendor   string `json:"unmaskedVendor"`
	UnmaskedRenderer string `json:"unmaskedRenderer"`
}

// UserAgent answers a request for a user agent.
type UserAgent struct {
	Data string `json:"data"`
}

// WebGLInfo answers a request for the graphics card alone, under Dolphin's names.
type WebGLInfo struct {
	UnmaskedVendor   string         `json:"webgl_unmasked_vendor"`
	UnmaskedRenderer string         `json:"webgl_unmasked_renderer"`
	Vendor           string         `json:"vendor"`
	Renderer         string         `json:"renderer"`
	WebGL2Maximum    map[string]any `json:"webgl2Maximum"`
}
