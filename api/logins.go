package api

import (
	"context"
	"net/http"
	"strconv"
)

// LoginSource is a browser that the person uses outside Cove.
type LoginSource struct {
	Name    string `json:"name"`
	DataDir string `json:"dataDir"`
	// Open says that it runs.
	Open     bool           `json:"open"`
	Profiles []LoginProfile `json:"profiles"`
}

// LoginProfile is one of the profiles of a LoginSource.
type LoginProfile struct {
	// Dir is its folder in the data folder.
	Dir  string `json:"dir"`
	Name string `json:"name"`
}

// LoginSources are the browsers that the person has used on this computer.
type LoginSources struct {
	Data []LoginSource `json:"data"`
}

// LoginImportInput starts an import: POST /login_imports.
type LoginImportInput struct {
	Profile ProfileID `json:"profile"`
	DataDir string    `json:"dataDir"`
	// Dir is needed if the browser has several profiles.
	Dir string `json:"dir,omitempty"`
}

// LoginImport is an import of logins from a browser. It never has a value.
type LoginImport struct {
	ID      string    `json:"id"`
	Profile ProfileID `json:"profile"`
	DataDir string    `json:"dataDir"`
	Dir     string    `json:"dir"`
	// Step is what it does or waits for: no-browser, switch-off, wait-allow, other-profile, reading, choosing, writing,
	// done or failed.
	Step  string      `json:"step"`
	Sites []LoginSite `json:"sites"`
	// Copy says that the browser is closed: its folder is copied, all of it or nothing.
	Copy bool `json:"copy,omitempty"`
	// Opaque counts the cookies that cannot be taken along, because their partition has no name.
	Opaque  int          `json:"opaque,omitempty"`
	Result  *LoginsTaken `json:"result,omitempty"`
	Failure *ErrorObject `json:"failure,omitempty"`
	// Version grows with every change.
	Version int `json:"version"`
}

// LoginSite is a site of which that browser has something.
type LoginSite struct {
	Site    string `json:"site"`
	Cookies int    `json:"cookies"`
	// Origins counts those that may have local storage.
	Origins int `json:"origins"`
}

// LoginsTaken says what an import brought.
type LoginsTaken struct {
	Cookies int `json:"cookies"`
	// Entries counts those of the local storage.
	Entries int `json:"entries"`
	// Refused are the cookies that the browser did not accept as they were, without their values.
	Refused []RefusedCookie `json:"refused"`
	// RefusedOrigins are the origins whose local storage was not brought.
	RefusedOrigins []string `json:"refusedOrigins"`
	// Gone are the chosen sites that have no cookies any more. Nothing was changed for them.
	Gone []string `json:"gone"`
}

// RefusedCookie names a cookie.
type RefusedCookie struct {
	Domain string `json:"domain"`
	Path   string `json:"path"`
	Name   string `json:"name"`
	// Partition is the site in whose pages alone it is visible; "" for all.
	Partition string `json:"partition,omitempty"`
}

// LoginImportData wraps one LoginImport.
type LoginImportData struct {
	Data LoginImport `json:"data"`
}

// LoginImports are the import that is under way, or the last one: GET /login_imports.
type LoginImports struct {
	Data []LoginImport `json:"data"`
}

// LoginChoice is what the person chooses to import.
type LoginChoice struct {
	Sites   []string `json:"sites,omitempty"`
	All     bool     `json:"all,omitempty"`
	Storage bool     `json:"storage,omitempty"`
}

// LoginImportCalls are the calls that import logins.
type LoginImportCalls struct{ client *Client }

// LoginImports returns the calls that import logins from browsers of this computer.
func (c *Client) LoginImports() LoginImportCalls { return LoginImportCalls{c} }

// Sources lists the browsers of this computer.
func (c LoginImportCalls) Sources(ctx context.Context) ([]LoginSource, error) {
	var out LoginSources
	err := c.client.Do(ctx, http.MethodGet, "/login_sources", nil, &out)
	return out.Data, err
}

// Start starts an import, and returns at once.
func (c LoginImportCalls) Start(ctx context.Context, in LoginImportInput) (LoginImport, error) {
	var out LoginImportData
	err := c.client.Do(ctx, http.MethodPost, "/login_imports", in, &out)
	return out.Data, err
}

// Get reads an import, when it has changed since the version that the caller knows, or after a while.
func (c LoginImportCalls) Get(ctx context.Context, id string, known int) (LoginImport, error) {
	var out LoginImportData
	err := c.client.Do(ctx, http.MethodGet, "/login_imports/"+id+"?known="+strconv.Itoa(known), nil, &out)
	return out.Data, err
}

// Choose goes on with an import.
func (c LoginImportCalls) Choose(ctx context.Context, id string, choice LoginChoice) (LoginImport, error) {
	var out LoginImportData
	err := c.client.Do(ctx, http.MethodPost, "/login_imports/"+id, choice, &out)
	return out.Data, err
}

// Cancel ends an import. What is being written is made whole first.
func (c LoginImportCalls) Cancel(ctx context.Context, id string) (LoginImport, error) {
	var out LoginImportData
	err := c.client.Do(ctx, http.MethodDelete, "/login_imports/"+id, nil, &out)
	return out.Data, err
}
