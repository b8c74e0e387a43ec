package importer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// dolphinTaken are the fields of a profile that Cove takes along, and dolphinSkipped those that mean something in
// Dolphin only.
var (
	dolphinTaken = []string{"name", "tags", "notes", "folder", "folderId", "folder_id", "folderName", "status",
		"statusId", "status_id", "proxy", "proxyId", "proxy_id", "tabs", "newHomepages", "args", "locale", "timezone",
		"cookies"}
	dolphinSkipped = []string{"id", "running", "created_at", "createdAt", "updated_at", "updatedAt", "deleted_at",
		"lastStartTime", "lastRunningTime", "lastRunnedByUserId", "lastRunUuid", "access", "transfer", "userId",
		"user_id", "teamId", "team_id", "pinned", "archived", "isHiddenProfileName", "datadirHash", "storagePath",
		"recoveryData", "login_recovery", "synced", "cloudSyncDisabled", "totalSessionDuration"}
)

// dolphinProfile reads a profile as Dolphin's API answers and exports it.
func (r *reader) dolphinProfile(o object) (p Profile, err error) {
	p.SourceID, p.Name = o.text("id"), o.text("name")
	for _, read := range []func(object, *Profile) error{r.readTags, readNotes, r.readPages, readArgs, readPlace,
		r.dolphinFolder, r.dolphinStatus, r.dolphinProxy} {
		if err := read(o, &p); err != nil {
			return p, err
		}
	}
	if p.Cookies, err = r.readCookies(cookieText(o["cookies"])); err != nil {
		return p, err
	}
	return p, r.leaveRest(o, dolphinTaken, dolphinSkipped)
}

// readTags reads tags: texts, or objects with a name.
func (r *reader) readTags(o object, p *Profile) error {
	fields := []string{"tags"}
	if r.product == AdsPower {
		fields = append(fields, "profile_tags")
	}
	for _, field := range fields {
		if !isNested(o[field]) {
			p.Tags = append(p.Tags, split(scalar(o[field]), ",;|\n")...)
			continue
		}
		var items []json.RawMessage
		if err := json.Unmarshal(o[field], &items); err != nil {
			return fault.Fieldf(field, "The tags cannot be read.").WithHint("Write a list of texts.")
		}
		p.Tags = append(p.Tags, r.texts(field, items, "name", "tag_name")...)
	}
	return nil
}

// texts returns the items of a list: texts, or the first of these names in objects. Others are left out.
func (r *reader) texts(field string, items []json.RawMessage, names ...string) (out []string) {
	for _, raw := range items {
		var with object
		text := scalar(raw)
		if json.Unmarshal(raw, &with) == nil && with != nil {
			if text = with.text(names...); text == "" {
				r.leave(field, raw)
			}
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

func readNotes(o object, p *Profile) error {
	if isEmpty(o["notes"]) {
		return nil
	}
	var notes api.LooseNotes
	err := notes.UnmarshalJSON(o["notes"])
	p.Notes = string(notes)
	return fault.In("notes", err)
}

func (r *reader) readPages(o object, p *Profile) error {
	for _, field := range []string{"tabs", "newHomepages", "open_urls"} {
		var items []json.RawMessage
		if json.Unmarshal(o[field], &items) == nil {
			p.StartPages = append(p.StartPages, r.texts(field, items, "url")...)
			continue
		}
		p.StartPages = append(p.StartPages, split(scalar(o[field]), " ,;|\r\n\t")...)
	}
	return nil
}

func readArgs(o object, p *Profile) error {
	if isEmpty(o["args"]) {
		return nil
	}
	return fault.In("args", json.Unmarshal(o["args"], (*api.Strings)(&p.Args)))
}

// readPlace reads locale and timezone, which Dolphin sets only in the mode manual.
func readPlace(o object, p *Profile) error {
	for name, into := range map[string]*string{"locale": &p.Locale, "timezone": &p.Timezone} {
		if isEmpty(o[name]) {
			continue
		}
		if err := (*api.LooseText)(into).UnmarshalJSON(o[name]); err != nil {
			return fault.In(name, err)
		}
	}
	return nil
}

// dolphinFolder finds the name of a folder. Without it the folder is left out: a number means nothing here.
func (r *reader) dolphinFolder(o object, p *Profile) error {
	name, id := folderOf(o)
	if p.Folder = cmp.Or(name, r.folders[id]); p.Folder == "" && id != "" {
		r.leave("folder", json.RawMessage(strconv.Quote(id)))
	}
	return nil
}

// dolphinStatus reads a status, or finds it by its id.
func (r *reader) dolphinStatus(o object, p *Profile) error {
	var with object
	if json.Unmarshal(o["status"], &with) == nil && with.has("name") {
		p.Status = statusOf(with)
		return p.Status.Clean()
	}
	id := statusID(o)
	if p.Status = r.statuses[id]; p.Status.Name == "" && id != "" {
		r.leave("status", json.RawMessage(strconv.Quote(id)))
	}
	return nil
}

// statusOf reads a status. A color that Cove does not have becomes the usual one.
func statusOf(o object) profile.Status {
	s := profile.Status{Name: o.text("name"), Color: strings.ToLower(o.text("color"))}
	if !slices.Contains(profile.Colors, s.Color) {
		s.Color = profile.Colors[len(profile.Colors)-1]
	}
	return s
}

// split cuts a text at any of these characters, and leaves empty parts out.
func split(text, at string) []string {
	parts := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(at, c) })
	out := parts[:0]
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
