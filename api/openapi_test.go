package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// described are the Go types that a schema of the description stands for. answers are those that Cove sends: what it
// always sends is required of them.
var described = struct{ answers, inputs map[string]reflect.Type }{
	answers: map[string]reflect.Type{
		"LoggedIn": reflect.TypeFor[LoggedIn](),
		"OK":       reflect.TypeFor[OK](), "Error": reflect.TypeFor[Error](), "ErrorObject": reflect.TypeFor[ErrorObject](),
		"Automation": reflect.TypeFor[Automation](), "Started": reflect.TypeFor[Started](),
		"Running":      reflect.TypeFor[Running](),
		"CloudProfile": reflect.TypeFor[CloudProfile](), "CloudNotes": reflect.TypeFor[CloudNotes](),
		"CloudProxy": reflect.TypeFor[CloudProxy](),
		"Profile":    reflect.TypeFor[Profile](), "Size": reflect.TypeFor[Size](), "Proxy": reflect.TypeFor[Proxy](),
		"ProfileList": reflect.TypeFor[ProfileList](), "Folder": reflect.TypeFor[Folder](),
		"View": reflect.TypeFor[View](), "ViewData": reflect.TypeFor[ViewData](), "Views": reflect.TypeFor[Views](),
		"FolderDefaults": reflect.TypeFor[FolderDefaults](),
		"FolderData":     reflect.TypeFor[FolderData](), "FolderList": reflect.TypeFor[FolderList](),
		"ProxyCheck": reflect.TypeFor[ProxyCheck](), "StoredProxy": reflect.TypeFor[StoredProxy](),
		"StoredProxyData": reflect.TypeFor[StoredProxyData](), "StoredProxyList": reflect.TypeFor[StoredProxyList](),
		"ProxiesImported": reflect.TypeFor[ProxiesImported](), "ProxyChecked": reflect.TypeFor[ProxyChecked](),
		"FolderProfiles": reflect.TypeFor[FolderProfiles](), "ProfileStatus": reflect.TypeFor[ProfileStatus](),
		"StatusData": reflect.TypeFor[StatusData](), "StatusList": reflect.TypeFor[StatusList](), "ProfileData": reflect.TypeFor[ProfileData](),
		"Created": reflect.TypeFor[Created](), "CreatedMany": reflect.TypeFor[CreatedMany](),
		"Policy": reflect.TypeFor[Policy](), "PolicySites": reflect.TypeFor[PolicySites](),
		"PolicyData": reflect.TypeFor[PolicyData](), "PolicyOutcome": reflect.TypeFor[PolicyOutcome](),
		"PolicyTested": reflect.TypeFor[PolicyTested](),
		"Extension":    reflect.TypeFor[Extension](), "ExtensionList": reflect.TypeFor[ExtensionList](),
		"ProfileExtension": reflect.TypeFor[ProfileExtension](), "ProfileExtensions": reflect.TypeFor[ProfileExtensions](),
		"ExtensionSaved": reflect.TypeFor[ExtensionSaved](),
		"Secret":         reflect.TypeFor[Secret](), "Secrets": reflect.TypeFor[Secrets](),
		"SecretCode": reflect.TypeFor[SecretCode](), "SecretCodeData": reflect.TypeFor[SecretCodeData](),
		"AccessAgent": reflect.TypeFor[AccessAgent](), "Approval": reflect.TypeFor[Approval](),
		"Approvals": reflect.TypeFor[Approvals](), "Access": reflect.TypeFor[Access](),
		"AccessData": reflect.TypeFor[AccessData](), "TakenOver": reflect.TypeFor[Takeover](),
		"Ask": reflect.TypeFor[Request](), "Asks": reflect.TypeFor[Requests](),
		"AskAnswer": reflect.TypeFor[RequestAnswer](), "AskData": reflect.TypeFor[RequestData](),
		"Job": reflect.TypeFor[Job](), "JobData": reflect.TypeFor[JobData](), "Jobs": reflect.TypeFor[Jobs](),
		"JobFailure": reflect.TypeFor[JobFailure](), "External": reflect.TypeFor[External](),
		"SharedTab": reflect.TypeFor[SharedTab](), "SharedTabs": reflect.TypeFor[SharedTabs](),
		"LoginSource": reflect.TypeFor[LoginSource](), "LoginProfile": reflect.TypeFor[LoginProfile](),
		"LoginSources": reflect.TypeFor[LoginSources](), "LoginImport": reflect.TypeFor[LoginImport](),
		"LoginSite": reflect.TypeFor[LoginSite](), "LoginsTaken": reflect.TypeFor[LoginsTaken](),
		"RefusedCookie": reflect.TypeFor[RefusedCookie](), "LoginImportData": reflect.TypeFor[LoginImportData](),
		"LoginImports": reflect.TypeFor[LoginImports](),
		"StartFailure": reflect.TypeFor[StartFailure](), "Usage": reflect.TypeFor[Usage](),
		"Usages": reflect.TypeFor[Usages](),
		"Panic":  reflect.TypeFor[Panic](), "PanicData": reflect.TypeFor[PanicData](),
		"PinData": reflect.TypeFor[PinData](),
		"Me":      reflect.TypeFor[Me](), "Account": reflect.TypeFor[Account](),
		"Accounts": reflect.TypeFor[Accounts](),
		"Token":    reflect.TypeFor[Token](), "TokenData": reflect.TypeFor[TokenData](),
		"Tokens":   reflect.TypeFor[Tokens](),
		"Imported": reflect.TypeFor[Imported](),
		"Setting":  reflect.TypeFor[Setting](), "Settings": reflect.TypeFor[Settings](),
		"Browser": reflect.TypeFor[Browser](), "Browsers": reflect.TypeFor[Browsers](),
		"Finding": reflect.TypeFor[Finding](), "Findings": reflect.TypeFor[Findings](),
		"LogLines": reflect.TypeFor[LogLines](),
		"Status":   reflect.TypeFor[Status](), "OpenProfile": reflect.TypeFor[OpenProfile](),
		"Agent": reflect.TypeFor[Agent](), "Agents": reflect.TypeFor[Agents](), "OwnedTabs": reflect.TypeFor[OwnedTabs](),
		"Live":        reflect.TypeFor[Live](),
		"Activity":    reflect.TypeFor[Activity](),
		"LiveTab":     reflect.TypeFor[LiveTab](),
		"LivePicture": reflect.TypeFor[LivePicture](), "LiveAgent": reflect.TypeFor[LiveAgent](),
		"LivePrompt": reflect.TypeFor[LivePrompt](), "LiveTaken": reflect.TypeFor[LiveTaken](),
		"LiveChooser": reflect.TypeFor[LiveChooser](), "LiveDownload": reflect.TypeFor[LiveDownload](),
		"LiveControl": reflect.TypeFor[LiveControl](), "LiveInput": reflect.TypeFor[LiveInput](),
		"LiveEvent": reflect.TypeFor[LiveEvent](), "LiveInputResult": reflect.TypeFor[LiveInputResult](),
		"LiveOption": reflect.TypeFor[LiveOption](),
		"LiveTouch":  reflect.TypeFor[LiveTouch](), "LiveBox": reflect.TypeFor[LiveBox](),
		"LivePoint":  reflect.TypeFor[LivePoint](),
		"LiveAction": reflect.TypeFor[LiveAction](), "JournalElement": reflect.TypeFor[JournalElement](),
		"JournalSession": reflect.TypeFor[JournalSession](), "JournalSessions": reflect.TypeFor[JournalSessions](),
		"WindowCode": reflect.TypeFor[WindowCode](), "WindowSession": reflect.TypeFor[WindowSession](),
		"MCPClient": reflect.TypeFor[MCPClient](), "MCPClients": reflect.TypeFor[MCPClients](),
		"MCPEntry": reflect.TypeFor[MCPEntry](), "MCPCheck": reflect.TypeFor[MCPCheck](),
		"MCPChange": reflect.TypeFor[MCPChange](), "MCPChanges": reflect.TypeFor[MCPChanges](),
		"MCPSnippet": reflect.TypeFor[MCPSnippet](),
		"SkillFile":  reflect.TypeFor[SkillFile](), "SkillChange": reflect.TypeFor[SkillChange](),
		"SkillChanges": reflect.TypeFor[SkillChanges](),
		"Event":        reflect.TypeFor[Event](), "SessionEvent": reflect.TypeFor[SessionEvent](),
		"ProfileEvent": reflect.TypeFor[ProfileEvent](),
		"Journal":      reflect.TypeFor[Journal](), "JournalEntry": reflect.TypeFor[JournalEntry](),
		"JournalReport": reflect.TypeFor[JournalReport](),
		"Fingerprint":   reflect.TypeFor[Fingerprint](), "FingerprintScreen": reflect.TypeFor[FingerprintScreen](),
		"FingerprintConnection": reflect.TypeFor[FingerprintConnection](),
		"FingerprintCPU":        reflect.TypeFor[FingerprintCPU](), "FingerprintOS": reflect.TypeFor[FingerprintOS](),
		"FingerprintBrowser": reflect.TypeFor[FingerprintBrowser](),
		"FingerprintWebGL":   reflect.TypeFor[FingerprintWebGL](),
		"UserAgent":          reflect.TypeFor[UserAgent](), "WebGLInfo": reflect.TypeFor[WebGLInfo](),
		"CookiesImported": reflect.TypeFor[CookiesImported](), "CookieChanges": reflect.TypeFor[CookieChanges](),
		"CookieChange": reflect.TypeFor[CookieChange](), "ExportedCookies": reflect.TypeFor[ExportedCookies](),
		"LocalStorageImported": reflect.TypeFor[LocalStorageImported](),
		"ExportedLocalStorage": reflect.TypeFor[ExportedLocalStorage](),
		"LocalStorageItem":     reflect.TypeFor[LocalStorageItem](),
	},
	inputs: map[string]reflect.Type{
		"ExtensionChange": reflect.TypeFor[ExtensionChange](),
		"StartOptions":    reflect.TypeFor[StartOptions](), "ProfileInput": reflect.TypeFor[ProfileInput](),
		"ProxyInput": reflect.TypeFor[LooseProxy](), "StoredProxyInput": reflect.TypeFor[StoredProxyInput](),
		"ProxyLines": reflect.TypeFor[ProxyLines](), "ProxyIDs": reflect.TypeFor[ProxyIDs](),
		"FolderInput": reflect.TypeFor[FolderInput](), "FolderOrder": reflect.TypeFor[FolderOrder](), "FolderPosition": reflect.TypeFor[FolderPosition](),
		"FolderMembers": reflect.TypeFor[FolderMembers](), "LabelIDs": reflect.TypeFor[LabelIDs](),
		"StatusInput": reflect.TypeFor[StatusInput](), "StatusForMany": reflect.TypeFor[StatusForMany](),
		"MassInput": reflect.TypeFor[MassInput](), "IDs": reflect.TypeFor[IDs](),
		"ImportInput": reflect.TypeFor[ImportInput](), "ImportProfile": reflect.TypeFor[ImportProfile](),
		"ImportStatus": reflect.TypeFor[ImportStatus](), "ImportProxy": reflect.TypeFor[ImportProxy](),
		"ViewInput":  reflect.TypeFor[ViewInput](),
		"AgentPause": reflect.TypeFor[AgentPause](), "PolicyTest": reflect.TypeFor[PolicyTest](),
		"BulkInput": reflect.TypeFor[BulkInput](), "BulkChange": reflect.TypeFor[BulkChange](),
		"AdoptInput": reflect.TypeFor[AdoptInput](), "TabChoice": reflect.TypeFor[TabChoice](),
		"LoginImportInput": reflect.TypeFor[LoginImportInput](), "LoginChoice": reflect.TypeFor[LoginChoice](),
		"CloneInput": reflect.TypeFor[CloneInput](),
		"Login":      reflect.TypeFor[Login](), "TokenLogin": reflect.TypeFor[TokenLogin](),
		"NewAccount":   reflect.TypeFor[NewAccount](),
		"SecretChange": reflect.TypeFor[SecretChange](),
		"NewSecret":    reflect.TypeFor[NewSecret](), "PlanChange": reflect.TypeFor[PlanChange](),
		"NewToken": reflect.TypeFor[NewToken](), "StopApp": reflect.TypeFor[StopApp](),
		"Answer":  reflect.TypeFor[Answer](),
		"AskSeen": reflect.TypeFor[RequestSeen](), "NewAsk": reflect.TypeFor[NewRequest](),
		"Decision": reflect.TypeFor[Decision](), "NewPin": reflect.TypeFor[NewPin](),
		"NewWindowCode": reflect.TypeFor[NewWindowCode](),
		"WindowSignIn":  reflect.TypeFor[WindowSignIn](),
		"MCPRequest":    reflect.TypeFor[MCPRequest](), "SkillRequest": reflect.TypeFor[SkillRequest](),
		"CookieImport": reflect.TypeFor[CookieImport](), "CookieExport": reflect.TypeFor[CookieExport](),
		"CookieExportProfile": reflect.TypeFor[CookieExportProfile](),
		"LocalStorageImport":  reflect.TypeFor[LocalStorageImport](),
	},
}

// shapesOnly are the schemas that no struct of this package stands for.
var shapesOnly = []string{"Strings", "LooseText", "SettingValue", "ErrorCode"}

type describedAPI struct {
	OpenAPI    string
	Servers    []struct{ URL string }
	Paths      map[string]map[string]describedOperation
	Components struct {
		Schemas   map[string]describedSchema
		Responses map[string]describedResponse
	}
}

type describedOperation struct {
	OperationID string
	Summary     string
	Tags        []string
	RequestBody struct{ Content describedContent }
	Responses   map[string]describedResponse
}

type describedResponse struct {
	Ref     string `json:"$ref"`
	Content describedContent
}

type describedContent map[string]struct {
	Schema   describedSchema
	Example  json.RawMessage
	Examples map[string]struct{ Value json.RawMessage }
}

type describedSchema struct {
	Ref        string `json:"$ref"`
	Type       any
	Required   []string
	Properties map[string]describedSchema
}

func readDescription(t *testing.T) (d describedAPI) {
	t.Helper()
	if err := json.Unmarshal(OpenAPI, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOpenAPIParses(t *testing.T) {
	d := readDescription(t)
	if !strings.HasPrefix(d.OpenAPI, "3.1.") || len(d.Servers) != 1 ||
		d.Servers[0].URL != fmt.Sprintf("http://127.0.0.1:%d", DefaultPort) {
		t.Fatalf("version %q, servers %v", d.OpenAPI, d.Servers)
	}
	tags := []string{"Sessions", "Profiles", "Proxies", "Extensions", "Agents", "Journal", "Accounts", "Clients", "App",
		"Dolphin compatible"}
	seen := map[string]string{}
	for path, methods := range d.Paths {
		for method, op := range methods {
			at := method + " " + path
			if other := seen[op.OperationID]; op.OperationID == "" || other != "" {
				t.Errorf("%s: the operationId %q is empty or that of %s", at, op.OperationID, other)
			}
			seen[op.OperationID] = at
			if !strings.HasSuffix(op.Summary, ".") || strings.Count(op.Summary, ".") != 1 {
				t.Errorf("%s: the summary %q is not one sentence", at, op.Summary)
			}
			if len(op.Tags) != 1 || !slices.Contains(tags, op.Tags[0]) {
				t.Errorf("%s: tags %v", at, op.Tags)
			}
		}
	}
	if len(seen) == 0 {
		t.Fatal("no operations")
	}
}

func TestOpenAPIRefsResolve(t *testing.T) {
	var whole any
	if err := json.Unmarshal(OpenAPI, &whole); err != nil {
		t.Fatal(err)
	}
	used := 0
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				used++
				if !resolves(whole, ref) {
					t.Errorf("%s: %s leads nowhere", at, ref)
				}
			}
			for key, inner := range v {
				walk(at+"/"+key, inner)
			}
		case []any:
			for i, inner := range v {
				walk(fmt.Sprintf("%s/%d", at, i), inner)
			}
		}
	}
	walk("#", whole)
	if used == 0 {
		t.Fatal("no references")
	}
}

func resolves(whole any, ref string) bool {
	path, ok := strings.CutPrefix(ref, "#/")
	for name := range strings.SplitSeq(path, "/") {
		inner, isObject := whole.(map[string]any)
		if whole, ok = inner[name]; !isObject || !ok {
			return false
		}
	}
	return ok
}

func TestOpenAPISchemasHaveTheFieldsOfTheirTypes(t *testing.T) {
	d := readDescription(t)
	left := maps.Clone(d.Components.Schemas)
	for _, name := range shapesOnly {
		delete(left, name)
	}
	for name, typ := range described.answers {
		delete(left, name)
		s := d.Components.Schemas[name]
		checkFields(t, name, s, typ)
		if want, got := alwaysSent(typ), slices.Sorted(slices.Values(s.Required)); !slices.Equal(want, got) {
			t.Errorf("%s: requires %v, but Cove always sends %v", name, got, want)
		}
	}
	for name, typ := range described.inputs {
		delete(left, name)
		s := d.Components.Schemas[name]
		checkFields(t, name, s, typ)
		for _, field := range s.Required {
			if _, ok := s.Properties[field]; !ok {
				t.Errorf("%s: requires %q, which it does not have", name, field)
			}
		}
	}
	for name := range left {
		t.Errorf("the schema %s stands for no Go type; add it to the map, or to shapesOnly", name)
	}
}

func checkFields(t *testing.T, name string, s describedSchema, typ reflect.Type) {
	t.Helper()
	fields := fieldsOf(typ)
	if want, got := slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(want, got) {
		t.Errorf("%s: has %v, want %v", name, got, want)
	}
	for field, f := range fields {
		want, known := jsonType(f.Type)
		got := s.Properties[field].Type
		if several, ok := got.([]any); ok && len(several) > 0 {
			got = several[0] // the other is null, or what is read as well
		}
		if known && s.Properties[field].Ref == "" && got != nil && got != want {
			t.Errorf("%s.%s: is a %v, want %s", name, field, got, want)
		}
	}
}

func fieldsOf(typ reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(typ) {
		if f.Anonymous || !f.IsExported() { // the fields of an embedded type are visible themselves
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = f
	}
	return fields
}

// alwaysSent names the fields without omitempty and omitzero.
func alwaysSent(typ reflect.Type) (names []string) {
	for name, f := range fieldsOf(typ) {
		if !strings.Contains(f.Tag.Get("json"), ",omit") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func jsonType(typ reflect.Type) (name string, known bool) {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ == reflect.TypeFor[time.Time]() || typ == reflect.TypeFor[[]byte]() {
		return "string", true
	}
	switch typ.Kind() {
	case reflect.Bool:
		return "boolean", true
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "integer", true
	case reflect.String:
		return "string", true
	case reflect.Slice:
		return "array", true
	}
	return "", false
}

func TestOpenAPIExamplesFitTheirTypes(t *testing.T) {
	d := readDescription(t)
	for path, methods := range d.Paths {
		for method, op := range methods {
			at := method + " " + path
			checkExamples(t, at+" body", op.RequestBody.Content)
			if _, absent := op.Responses["501"]; !absent && len(op.Responses["200"].Content) == 0 {
				t.Errorf("%s: no 200 with content", at)
			}
			for status, r := range op.Responses {
				checkExamples(t, at+" "+status, r.Content)
				if status == "200" {
					checkSuccess(t, at, r.Content)
				} else {
					checkFailure(t, at+" "+status, d, r)
				}
			}
		}
	}
	for name, r := range d.Components.Responses {
		checkExamples(t, name, r.Content)
		checkFailure(t, name, d, r)
	}
}

// checkExamples decodes what stands for a Go type into it; unknown fields are mistakes.
func checkExamples(t *testing.T, at string, c describedContent) {
	t.Helper()
	for kind, media := range c {
		examples := []json.RawMessage{media.Example}
		for _, e := range media.Examples {
			examples = append(examples, e.Value)
		}
		examples = slices.DeleteFunc(examples, func(raw json.RawMessage) bool { return raw == nil })
		if len(examples) == 0 && kind == "application/json" {
			t.Errorf("%s: no example", at)
		}
		name := strings.TrimPrefix(media.Schema.Ref, "#/components/schemas/")
		typ := described.answers[name]
		if typ == nil {
			typ = described.inputs[name]
		}
		if typ == nil {
			continue
		}
		for _, raw := range examples {
			read := json.NewDecoder(bytes.NewReader(raw))
			read.DisallowUnknownFields()
			if err := read.Decode(reflect.New(typ).Interface()); err != nil {
				t.Errorf("%s: the example is no %s: %v", at, name, err)
			}
		}
	}
}

// checkSuccess holds the promise that clients test for: no success body has these keys.
func checkSuccess(t *testing.T, at string, c describedContent) {
	t.Helper()
	for _, media := range c {
		var fields map[string]json.RawMessage
		if json.Unmarshal(media.Example, &fields) != nil {
			continue // a stream
		}
		for _, key := range []string{"error", "errorObject"} {
			if _, ok := fields[key]; ok {
				t.Errorf("%s: a success with the key %s", at, key)
			}
		}
	}
}

func checkFailure(t *testing.T, at string, d describedAPI, r describedResponse) {
	t.Helper()
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		r = d.Components.Responses[name]
	}
	if ref := r.Content["application/json"].Schema.Ref; ref != "#/components/schemas/Error" {
		t.Errorf("%s: answers with %q, not with the shared error", at, ref)
	}
}
