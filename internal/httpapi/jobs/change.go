package jobs

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
)

// change is an api.BulkChange that was read and checked.
type change struct {
	kind string
	// addTags and removeTags leave the other tags; fields replace what they name.
	addTags, removeTags []string
	fields              api.ProfileInput
	action              string
	automation          bool
	headless            bool
}

// actions are what a job can do besides changing fields.
var actions = []string{"trash", "restore", "delete", "start", "stop"}

// ownFields are the fields of api.BulkChange that are not those of a profile.
var ownFields = []string{"addTags", "removeTags", "action", "automation", "headless"}

// profileFields are the fields of a profile that a job can change.
var profileFields = []string{"folder", "status", "notes", "proxy"}

// readChange reads what a job is to do. The caller names it "change" in errors.
func readChange(raw json.RawMessage) (ch change, err error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	all, err := input.ReadFields(raw, slices.Concat(ownFields, profileFields))
	if err != nil {
		return ch, err
	}
	var kinds []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch {
		case slices.Contains(profileFields, name):
			kinds = append(kinds, name)
		case strings.HasSuffix(name, "Tags") && slices.Contains(ownFields, name):
			kinds = append(kinds, "tags")
		case !slices.Contains(ownFields, name):
			return ch, fault.Fieldf(input.Clip(name), "A change of many profiles has no field %q.", input.Clip(name)).
				WithHint("It can have addTags, removeTags, folder, status, notes and proxy, or an action.")
		}
	}
	if ch.fields, _, err = wire.ReadInput(raw, ownFields...); err != nil {
		return ch, err
	}
	if err := ch.readOwn(all); err != nil {
		return ch, err
	}
	if (ch.action == "") == (len(kinds) == 0) {
		return ch, fault.Invalidf("A change of many profiles changes fields or has one action.").
			WithHint(`Send {"addTags":["shop"]} or {"action":"trash"}.`)
	}
	ch.kind = cmp.Or(ch.action, "several")
	if kinds = slices.Compact(kinds); len(kinds) == 1 {
		ch.kind = kinds[0]
	}
	trial := profile.Profile{Name: "trial"}
	return ch, ch.apply(&trial)
}

// readOwn reads the fields that a profile does not have.
func (ch *change) readOwn(all map[string]json.RawMessage) error {
	var own struct {
		AddTags    api.Strings `json:"addTags"`
		RemoveTags api.Strings `json:"removeTags"`
		Action     string      `json:"action"`
		Automation api.Flag    `json:"automation"`
		Headless   api.Flag    `json:"headless"`
	}
	kept := maps.Clone(all)
	maps.DeleteFunc(kept, func(name string, _ json.RawMessage) bool { return !slices.Contains(ownFields, name) })
	raw, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if err := input.DecodeJSON(raw, &own); err != nil {
		return err
	}
	if own.Action != "" && !slices.Contains(actions, own.Action) {
		return fault.Fieldf("action", "There is no action %q for many profiles.", input.Clip(own.Action)).
			WithHint("Use trash, restore, delete, start or stop.")
	}
	trial := profile.Profile{Name: "trial", Tags: own.AddTags}
	if err := trial.Clean(); err != nil {
		return fault.From(err).WithField("addTags")
	}
	ch.addTags, ch.removeTags, ch.action = trial.Tags, own.RemoveTags, own.Action
	ch.automation, ch.headless = bool(own.Automation), bool(own.Headless)
	return nil
}

// result returns a profile after the change, and false if it cannot be changed: then the job will say why.
func (ch *change) result(p profile.Profile) (after profile.Profile, ok bool) {
	err := ch.apply(&p)
	return p, err == nil
}

// apply changes one profile, and says what is wrong with the result.
func (ch *change) apply(p *profile.Profile) error {
	before := *p
	dropped := func(tag string) bool { return slices.Contains(ch.removeTags, tag) }
	p.Tags = slices.Concat(slices.DeleteFunc(slices.Clone(p.Tags), dropped), ch.addTags)
	wire.Apply(ch.fields, p)
	return p.CleanEdit(before)
}
