package api

import "time"

// CloudProfile is a profile in the shape of Dolphin's cloud API.
type CloudProfile struct {
	ID      ProfileID      `json:"id"`
	Name    string         `json:"name"`
	Tags    []string       `json:"tags"`
	Running bool           `json:"running"`
	Notes   CloudNotes     `json:"notes"`
	Folder  *FolderID      `json:"folder"`
	Tabs    []string       `json:"tabs"`
	Args    []string       `json:"args"`
	ProxyID *ProxyID       `json:"proxyId"`
	Status  *ProfileStatus `json:"status,omitempty"`
	Proxy   *CloudProxy    `json:"proxy,omitempty"`
	Created time.Time      `json:"created_at"`
	Updated time.Time      `json:"updated_at"`
	// LastStart is null for a profile that was never opened.
	LastStart   *time.Time `json:"lastStartTime"`
	Platform    string     `json:"platform"`
	BrowserType string     `json:"browserType"`
	MainWebsite string     `json:"mainWebsite"`
}

// CloudProfileName is a profile as a caller without a credential sees it.
type CloudProfileName struct {
	ID      ProfileID `json:"id"`
	Name    string    `json:"name"`
	Tags    []string  `json:"tags"`
	Running bool      `json:"running"`
}

// CloudNotes are the notes of a profile.
type CloudNotes struct {
	Content string `json:"content"`
	Color   string `json:"color"`
	Style   string `json:"style"`
	Icon    string `json:"icon"`
}

// CloudProxy is the proxy of a profile.
type CloudProxy struct {
	ID          ProxyID `json:"id"`
	Name        string  `json:"name"`
	Type        string  `json:"type"`
	Host        string  `json:"host"`
	Port        int     `json:"port"`
	Login       string  `json:"login"`
	Password    string  `json:"password"`
	ChangeIPURL string  `json:"changeIpUrl"`
	// LastCheck is the result of the last check, null without one.
	LastCheck any `json:"lastCheck"`
}

// CloudProfileList is one page of profiles.
type CloudProfileList struct {
	Data []any `json:"data"`
	PageInfo
}

// CloudProfileData is one profile.
type CloudProfileData struct {
	Data    any      `json:"data"`
	Ignored []string `json:"ignored,omitzero"`
}

// CloudCreated is the answer to creating one profile.
type CloudCreated struct {
	Success          bool      `json:"success"`
	BrowserProfileID ProfileID `json:"browserProfileId"`
	Data             any       `json:"data"`
	Ignored          []string  `json:"ignored"`
}
