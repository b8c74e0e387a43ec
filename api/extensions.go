package api

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
)

// Extension is a browser extension that Cove keeps a copy of.
type Extension struct {
	ID          int    `json:"id"`
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	// ExtensionID is the id that browsers know it by.
	ExtensionID     string `json:"extensionId"`
	ManifestVersion int    `json:"manifestVersion"`
	// Permissions and HostPermissions include those that it can ask for later.
	Permissions     []string `json:"permissions"`
	HostPermissions []string `json:"hostPermissions"`
	// Reach says in sentences what an agent could reach through it.
	Reach []string `json:"reach"`
	// Risky says that an agent could use it to get around a profile's permissions.
	Risky                bool      `json:"risky"`
	Size                 int64     `json:"size"`
	BrowserProfilesCount int       `json:"browser_profiles_count"`
	CreatedAt            time.Time `json:"created_at"`
	UpdatedAt            time.Time `json:"updated_at"`
}

// ExtensionList is a page of extensions.
type ExtensionList struct {
	Data []Extension `json:"data"`
	PageInfo
}

// ProfileExtension is an extension of a profile.
type ProfileExtension struct {
	Extension
	Enabled bool `json:"enabled"`
}

// ProfileExtensions are the extensions of a profile.
type ProfileExtensions struct {
	Data []ProfileExtension `json:"data"`
}

// ExtensionSaved is the answer to an upload.
type ExtensionSaved struct {
	Success bool      `json:"success"`
	Data    Extension `json:"data"`
	// ProfileIDs have this version from their next start on.
	ProfileIDs []ProfileID `json:"profileIds"`
	// Replaced is the version that was stored before.
	Replaced string   `json:"replaced,omitempty"`
	Ignored  []string `json:"ignored,omitempty"`
}

// ExtensionChange gives extensions to profiles, takes them away, or enables and disables them.
type ExtensionChange struct {
	ExtensionIDs IDList `json:"extensionIds"`
	ProfileIDs   IDList `json:"profileIds,omitempty"`
	Enabled      *Flag  `json:"enabled,omitempty"`
}

// CheckEnabled refuses a change that says neither yes nor no.
func (x ExtensionChange) CheckEnabled() error {
	if x.Enabled != nil {
		return nil
	}
	return fault.Fieldf("enabled", "The field \"enabled\" is missing.").
		WithHint(`Send {"extensionIds":[1],"enabled":false}.`)
}

// ExtensionUpload is a .zip or .crx file for Upload.
type ExtensionUpload struct {
	File io.Reader
	// Name is what Cove calls it; "" leaves that to its manifest.
	Name string
	// Replaces is the id of the extension that it is a newer version of, or 0.
	Replaces int
	// ProfileIDs get it.
	ProfileIDs []ProfileID
}

func joinIDs(ids []ProfileID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return strings.Join(texts, ",")
}

// ExtensionCalls are the calls about extensions and the profiles that have them.
type ExtensionCalls struct{ client *Client }

// Extensions returns the calls about extensions.
func (c *Client) Extensions() ExtensionCalls { return ExtensionCalls{c} }

// List reads a page of extensions.
func (c ExtensionCalls) List(ctx context.Context, query url.Values) (l ExtensionList, err error) {
	path := "/extensions"
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	err = c.client.Do(ctx, http.MethodGet, path, nil, &l)
	return l, err
}

// OfProfile reads the extensions of a profile.
func (c ExtensionCalls) OfProfile(ctx context.Context, id ProfileID) (l ProfileExtensions, err error) {
	err = c.client.Do(ctx, http.MethodGet, profilePath(id, "/extensions"), nil, &l)
	return l, err
}

// Attach gives extensions to profiles.
func (c ExtensionCalls) Attach(ctx context.Context, in ExtensionChange) error {
	return c.client.Do(ctx, http.MethodPost, "/extensions/attach", in, nil)
}

// Detach takes extensions from profiles.
func (c ExtensionCalls) Detach(ctx context.Context, in ExtensionChange) error {
	return c.client.Do(ctx, http.MethodPost, "/extensions/detach", in, nil)
}

// Enable enables or disables extensions in profiles that have them. Without profiles it means all of them.
func (c ExtensionCalls) Enable(ctx context.Context, in ExtensionChange) error {
	return c.client.Do(ctx, http.MethodPatch, "/extensions", in, nil)
}

// Delete deletes extensions, also from their profiles.
func (c ExtensionCalls) Delete(ctx context.Context, ids ...ProfileID) error {
	return c.client.Do(ctx, http.MethodDelete, "/extensions", IDs{IDs: ids}, nil)
}

// Upload stores an extension. It holds the file in memory, because a call that needs the PIN is sent twice.
func (c ExtensionCalls) Upload(ctx context.Context, in ExtensionUpload) (saved ExtensionSaved, err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	fields := [][2]string{}
	if in.Name != "" {
		fields = append(fields, [2]string{"extensionName", in.Name})
	}
	if in.Replaces != 0 {
		fields = append(fields, [2]string{"replaces", strconv.Itoa(in.Replaces)})
	}
	if len(in.ProfileIDs) > 0 {
		fields = append(fields, [2]string{"profileIds", joinIDs(in.ProfileIDs)})
	}
	for _, f := range fields {
		if err := form.WriteField(f[0], f[1]); err != nil {
			return saved, err
		}
	}
	file, err := form.CreateFormFile("file", "extension.zip")
	if err != nil {
		return saved, err
	}
	if _, err := io.Copy(file, in.File); err != nil {
		return saved, err
	}
	if err := form.Close(); err != nil {
		return saved, err
	}
	upload := rawBody{form.FormDataContentType(), body.Bytes()}
	err = c.client.Do(ctx, http.MethodPost, "/extensions/upload-zipped", upload, &saved)
	return saved, err
}
