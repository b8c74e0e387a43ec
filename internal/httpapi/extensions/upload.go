package extensions

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// upload is what the form of an upload says. Close removes its file.
type upload struct {
	file *os.File
	size int64

	name     string
	shared   bool
	replaces extension.ID
	profiles []profile.ID
	ignored  []string
}

const uploadHint = "Send a form of the type multipart/form-data with the field file, a .zip or a .crx file."

// Limits of a form's other fields.
const (
	maxField  = 256 << 10
	maxFields = 20_000
	maxName   = 100
)

// Upload answers POST /extensions/upload-zipped. Whoever sends no credential sends no file either.
func (h *Handlers) Upload(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	c.AllowTime()
	in, err := readUpload(c)
	defer in.close()
	if err != nil {
		return nil, err
	}
	up, err := h.Library.Read(c.Context(), in.file, in.size, in.replaces)
	if err != nil {
		return nil, err
	}
	chosen, err := h.takers(c, in.profiles)
	if err != nil {
		return nil, fault.In("profileIds", err)
	}
	if err := permit.Extensions(c, slices.Concat(up.Profiles, chosen)); err != nil {
		return nil, err
	}
	if in.shared {
		if chosen, err = h.withUnbound(c, chosen); err != nil {
			return nil, err
		}
	}

	ids := make([]profile.ID, len(chosen))
	for i, p := range chosen {
		ids[i] = p.ID
	}
	e, err := h.Library.Save(c.Context(), up, in.name, ids)
	if err != nil {
		return nil, err
	}
	for _, p := range up.Profiles {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	return api.ExtensionSaved{Success: true, Data: show(e), ProfileIDs: slices.Compact(ids),
		Replaced: up.Replaces.Version, Ignored: in.ignored}, nil
}

// withUnbound adds every profile that has data of its own and no rules. Those with rules need the person, one by one.
func (h *Handlers) withUnbound(c *call.Call, chosen []profile.Profile) ([]profile.Profile, error) {
	for page := 1; ; page++ {
		found, err := h.Profiles.List(c.Context(), profile.Query{Page: page, PerPage: 1000, Sort: profile.ByID})
		if err != nil {
			return nil, err
		}
		for _, p := range found.Profiles {
			has := slices.ContainsFunc(chosen, func(o profile.Profile) bool { return o.ID == p.ID })
			if !has && !p.Policy.Binds() && !p.External.Set() {
				chosen = append(chosen, p)
			}
		}
		if len(found.Profiles) < 1000 {
			return chosen, nil
		}
	}
}

// readUpload reads the form as a stream, and its file into a file.
func readUpload(c *call.Call) (*upload, error) {
	in := &upload{}
	kind, options, _ := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if kind != "multipart/form-data" || options["boundary"] == "" {
		return in, fault.Invalidf("The request is not a form with a file.").WithHint(uploadHint)
	}
	form := multipart.NewReader(c.Body, options["boundary"])
	for n := 0; ; n++ {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && n < maxFields {
			err = in.readPart(part)
		} else if err == nil {
			err = errors.New("too many fields")
		}
		if err != nil {
			return in, formFault(err)
		}
	}
	if in.file == nil {
		return in, fault.Fieldf("file", "The form has no file.").WithHint(uploadHint)
	}
	slices.Sort(in.ignored)
	in.ignored = slices.Compact(in.ignored)
	return in, nil
}

// formFault words an error of reading a form.
func formFault(err error) error {
	var large *http.MaxBytesError
	var f *fault.Error
	switch {
	case errors.As(err, &large):
		return call.ErrTooLarge(extension.MaxArchive)
	case errors.As(err, &f):
		return f
	}
	return fault.Invalidf("The request's form could not be read.").WithHint(uploadHint).Because(err)
}

// readPart reads one field of the form.
func (in *upload) readPart(part *multipart.Part) error {
	name := strings.TrimSuffix(part.FormName(), "[]")
	if name == "file" {
		return in.readFile(part)
	}
	raw, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return err
	}
	text := strings.TrimSpace(string(raw))
	if len(raw) > maxField {
		return fault.Fieldf(name, "The field %q is too long.", name).WithHint(uploadHint)
	}
	switch name {
	case "extensionName":
		if in.name = text; len([]rune(text)) > maxName || strings.ContainsFunc(text, isControl) {
			return fault.Fieldf(name, "The name of an extension has at most %d characters.", maxName).
				WithHint("Choose a shorter name, in one line.")
		}
	case "sharedToEntireTeam", "all":
		var ok bool
		if in.shared, ok = api.ParseFlag(text); !ok && text != "" {
			return fault.Fieldf(name, "%q must be true or false.", name).
				WithHint("Use " + name + "=1 or " + name + "=0.")
		}
	case "profileIds":
		return in.readProfiles(text)
	case "replaces":
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n <= 0 {
			return fault.Fieldf(name, "%q must be the id of an extension.", name).
				WithHint("`cove extension list` shows the ids.")
		}
		in.replaces = extension.ID(n)
	default:
		in.ignored = append(in.ignored, name)
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// readProfiles reads ids of profiles, with commas between them.
func (in *upload) readProfiles(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		id, err := profile.ParseID(strings.TrimSpace(word))
		if err != nil {
			return fault.In("profileIds", err)
		}
		in.profiles = append(in.profiles, id)
	}
	return nil
}

// readFile copies the file of the form to a file of ours, because an archive is read from its end.
func (in *upload) readFile(part io.Reader) (err error) {
	if in.file != nil {
		return fault.Fieldf("file", "The form has two files.").WithHint(uploadHint)
	}
	if in.file, err = os.CreateTemp("", "cove-upload-"); err != nil {
		return fault.Disk(err)
	}
	if in.size, err = io.Copy(in.file, io.LimitReader(part, extension.MaxArchive+1)); err != nil {
		return err
	}
	if in.size > extension.MaxArchive {
		return call.ErrTooLarge(extension.MaxArchive)
	}
	return nil
}

// close removes the file.
func (in *upload) close() {
	if in.file != nil {
		_ = in.file.Close()
		_ = os.Remove(in.file.Name())
	}
}
