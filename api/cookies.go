package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"cove/internal/profile/id"
)

// CookieImport imports cookies into a profile: POST /cookies/import.
type CookieImport struct {
	ProfileID id.ID `json:"profileId"`
	// Cookies is an array, an object with the array cookies, or a text that holds either or a Netscape file.
	Cookies           json.RawMessage `json:"cookies"`
	Transfer          Flag            `json:"transfer,omitempty"`
	CloudSyncDisabled Flag            `json:"cloudSyncDisabled,omitempty"`
}

// CookiesImported says what an import did.
type CookiesImported struct {
	Success bool `json:"success"`
	// Imported counts the cookies that the profile has now.
	Imported int `json:"imported"`
	// Skipped counts those that had expired.
	Skipped int `json:"skipped"`
	// Repeated counts those that a later one of the same name, domain and path replaced.
	Repeated int `json:"repeated,omitempty"`
	// LocalStorage counts the entries of the local storage that came along.
	LocalStorage int `json:"localStorage,omitempty"`
	// Ignored names what Cove does not take along.
	Ignored []string `json:"ignored,omitempty"`
}

// CookieChanges says what an import would change: POST /browser_profiles/{id}/cookies with dryRun.
type CookieChanges struct {
	Success bool           `json:"success"`
	DryRun  bool           `json:"dryRun"`
	Skipped int            `json:"skipped"`
	Domains []CookieChange `json:"domains"`
	// Repeated counts those that a later one of the same name, domain and path would replace.
	Repeated int `json:"repeated,omitempty"`
	// LocalStorage counts the entries of the local storage that would come along.
	LocalStorage int      `json:"localStorage,omitempty"`
	Ignored      []string `json:"ignored,omitempty"`
}

// CookieChange counts what an import would change of one domain.
type CookieChange struct {
	Domain    string `json:"domain"`
	Added     int    `json:"added"`
	Replaced  int    `json:"replaced"`
	Unchanged int    `json:"unchanged"`
}

// CookieExport asks for the cookies of one profile: POST /export-cookies.
type CookieExport struct {
	BrowserProfiles []CookieExportProfile `json:"browserProfiles"`
	DoNotSave       Flag                  `json:"doNotSave,omitempty"`
}

// CookieExportProfile names the profile of a CookieExport.
type CookieExportProfile struct {
	ID   id.ID  `json:"id"`
	Name string `json:"name,omitempty"`
}

// CookieFile is an exported cookie file.
type CookieFile struct {
	Content []byte
	// Partitioned counts the cookies that the format cannot hold, and Opaque those that no format can: their partition
	// has no name. The file has neither.
	Partitioned, Opaque int
}

func (f *CookieFile) read(header http.Header, content []byte) {
	partitioned, _ := strconv.Atoi(header.Get(HeaderPartitioned))
	opaque, _ := strconv.Atoi(header.Get(HeaderOpaque))
	*f = CookieFile{Content: content, Partitioned: partitioned, Opaque: opaque}
}

// Headers of an export that count the cookies that are left out. An export that leaves out none has neither.
const (
	HeaderPartitioned = "Cove-Partitioned-Cookies"
	HeaderOpaque      = "Cove-Opaque-Cookies"
)

// ExportedCookies is the answer to a CookieExport.
type ExportedCookies struct {
	Success bool            `json:"success"`
	Cookies json.RawMessage `json:"cookies"`
}

// CookiesData is the answer of the Sync API to getCookies.
type CookiesData struct {
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data"`
}

// LocalStorageImport imports local storage into a profile: POST /local-storage/import.
type LocalStorageImport struct {
	ProfileID         id.ID           `json:"profileId"`
	LocalStorage      json.RawMessage `json:"localStorage"`
	Transfer          Flag            `json:"transfer,omitempty"`
	CloudSyncDisabled Flag            `json:"cloudSyncDisabled,omitempty"`
}

// LocalStorageImported says what an import of local storage did.
type LocalStorageImported struct {
	Success  bool     `json:"success"`
	Imported int      `json:"imported"`
	Ignored  []string `json:"ignored,omitempty"`
}

// ExportedLocalStorage is the local storage of a profile, one item for each origin.
type ExportedLocalStorage struct {
	Success      bool               `json:"success"`
	LocalStorage []LocalStorageItem `json:"localStorage"`
}

// LocalStorageItem is the local storage of one origin. Names and values are UTF-8 in base64.
type LocalStorageItem struct {
	Domain string `json:"domain"`
	// Encoding is utf-8 in an export. An import without it refuses what can be a raw record of a browser.
	Encoding string            `json:"encoding,omitempty"`
	Data     map[string]string `json:"data"`
}

// CookieCalls are the calls about the cookies of one profile.
type CookieCalls struct {
	client *Client
	id     ProfileID
}

// Cookies returns the calls about the cookies of a profile.
func (c *Client) Cookies(id ProfileID) CookieCalls { return CookieCalls{c, id} }

// Try says what the import of a cookie file would change.
func (c CookieCalls) Try(ctx context.Context, file string) (changes CookieChanges, err error) {
	err = c.client.Do(ctx, http.MethodPost, profilePath(c.id, "/cookies?dryRun=1"), file, &changes)
	return changes, err
}

// Import imports a cookie file of any format.
func (c CookieCalls) Import(ctx context.Context, file string) (done CookiesImported, err error) {
	err = c.client.Do(ctx, http.MethodPost, profilePath(c.id, "/cookies"), file, &done)
	return done, err
}

// Export returns the cookies of a profile as a file.
func (c CookieCalls) Export(ctx context.Context, format string) (file CookieFile, err error) {
	err = c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/cookies?format="+url.QueryEscape(format)), nil, &file)
	return file, err
}
