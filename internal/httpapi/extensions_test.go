package httpapi

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"slices"
	"testing"

	"cove/internal/extension"
	"cove/internal/extension/library"
	"cove/internal/httpapi/extensions"
	"cove/internal/profile"
)

// oneExtension is a library that remembers which profiles get its extension, and which lose it.
type oneExtension struct {
	extensions.Library
	got, lost []profile.ID
}

func (l *oneExtension) Attach(_ context.Context, _ []extension.ID, ps []profile.ID, _ *bool) error {
	l.got = append(l.got, ps...)
	return nil
}

func (l *oneExtension) Enable(_ context.Context, _ []extension.ID, ps []profile.ID, _ bool) error {
	l.got = append(l.got, ps...)
	return nil
}

func (l *oneExtension) Detach(_ context.Context, _ []extension.ID, ps []profile.ID) error {
	l.lost = append(l.lost, ps...)
	return nil
}

func (l *oneExtension) Read(context.Context, io.ReaderAt, int64, extension.ID) (*library.Upload, error) {
	return &library.Upload{}, nil
}

func (l *oneExtension) Save(
	_ context.Context, _ *library.Upload, _ string, ps []profile.ID,
) (extension.Extension, error) {
	l.got = append(l.got, ps...)
	return extension.Extension{ID: 1}, nil
}

func TestAPersonsBrowserGetsNoExtension(t *testing.T) {
	o := newOffice(t)
	stored := &oneExtension{}
	o.rebuild(func(c *Config) { c.Extensions = stored })
	made, err := o.config.Profiles.Create(t.Context(), profile.Profile{Name: "my-browser",
		External: profile.External{DataDir: "/data", Dir: "Default"}})
	if err != nil || made[0].ID != 2 {
		t.Fatalf("%v %v", made, err)
	}
	const refused = "E_ADOPT_NOT_OURS"
	upload := func(status int, code, field, value string) {
		t.Helper()
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		_, _ = w.CreateFormFile("file", "x.zip")
		_ = w.WriteField(field, value)
		_ = w.Close()
		o.want(status, code, ownersToken, "POST", "/extensions/upload-zipped", form.String(), "Content-Type",
			w.FormDataContentType())
	}

	one := `{"extensionIds":[1],"enabled":true}`
	both := `{"extensionIds":[1],"profileIds":[1,2],"enabled":true}`
	o.want(400, refused, ownersToken, "POST", "/extensions/attach", both)
	o.want(400, refused, ownersToken, "PATCH", "/extensions", both)
	o.want(400, refused, ownersToken, "POST", "/browser_profiles/2/extensions", one)
	o.want(400, refused, ownersToken, "PATCH", "/browser_profiles/2/extensions", one)
	upload(400, refused, "profileIds", "1,2")
	if len(stored.got) > 0 {
		t.Errorf("a refusal was stored: %v", stored.got)
	}

	upload(200, "", "all", "true")
	if !slices.Equal(stored.got, []profile.ID{1}) {
		t.Errorf("all profiles: %v", stored.got)
	}
	o.want(200, "", ownersToken, "DELETE", "/browser_profiles/2/extensions", `{"extensionIds":[1]}`)
	o.want(200, "", ownersToken, "POST", "/extensions/attach", `{"extensionIds":[1],"profileIds":[1]}`)
	if !slices.Equal(stored.lost, []profile.ID{2}) || !slices.Equal(stored.got, []profile.ID{1, 1}) {
		t.Errorf("taken from %v, given to %v", stored.lost, stored.got)
	}
}
