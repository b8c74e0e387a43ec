package api

// MaxImport is how many profiles, and how many proxies, one import can create.
const MaxImport = 10000

// ImportInput creates profiles together with the proxies, folders and statuses that they refer to: all of it or
// nothing.
type ImportInput struct {
	Profiles []ImportProfile `json:"profiles,omitempty"`
	// Proxies are stored with their names, also those that no profile uses.
	Proxies []ImportProxy `json:"proxies,omitempty"`
	// DryRun answers what would be created, and creates nothing.
	DryRun bool `json:"dryRun,omitempty"`
}

// ImportProfile is a profile to create. Folder and status are names, because a number of another product means nothing
// here.
type ImportProfile struct {
	Name       string        `json:"name"`
	Tags       []string      `json:"tags,omitempty"`
	Notes      string        `json:"notes,omitempty"`
	Folder     string        `json:"folder,omitempty"`
	Status     *ImportStatus `json:"status,omitempty"`
	StartPages []string      `json:"startPages,omitempty"`
	Locale     string        `json:"locale,omitempty"`
	Timezone   string        `json:"timezone,omitempty"`
	// Proxy is null for a direct connection.
	Proxy *Proxy   `json:"proxy,omitempty"`
	Args  []string `json:"args,omitempty"`
}

// ImportStatus is a status by its name.
type ImportStatus struct {
	Name string `json:"name"`
	// Color is used only if there is no status of this name.
	Color string `json:"color,omitempty"`
}

// ImportProxy is a proxy to store.
type ImportProxy struct {
	Name        string `json:"name,omitempty"`
	Type        string `json:"type"`
	Host        string `json:"host"`
	Port        int    `json:"port"`
	Login       string `json:"login,omitempty"`
	Password    string `json:"password,omitempty"`
	ChangeIPURL string `json:"changeIpUrl,omitempty"`
}

// Imported is the answer to an import.
type Imported struct {
	Success bool `json:"success"`
	DryRun  bool `json:"dryRun,omitempty"`
	// IDs are the new profiles in the order of the request. A dry run has none.
	IDs []ProfileID `json:"ids"`
	// Profiles, Proxies, Folders and Statuses count what was created.
	Profiles int `json:"profiles"`
	Proxies  int `json:"proxies"`
	Folders  int `json:"folders"`
	Statuses int `json:"statuses"`
	// Ignored names proxies.changeIpUrl if a proxy that was stored before kept its own link.
	Ignored []string `json:"ignored,omitempty"`
}
