// Package forbidden refuses the commands that no policy may allow: they would bypass the rules for sites, or they name
// protected files.
package forbidden

import (
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/protect"
)

// Check refuses a command that would bypass the gate or the relay, which filters all of the profile's traffic. It also
// refuses a command that names a protected file.
func Check(files *protect.Files, method string, raw json.RawMessage) error {
	return check(files, method, raw, 0)
}

// check is Check for a command that is nested inside depth others.
func check(files *protect.Files, method string, raw json.RawMessage, depth int) error {
	if err := checkFileNames(files, method, raw); err != nil {
		return err
	}

	const why = "the profile's rules for sites would not hold any more"
	switch method {
	case "Target.createBrowserContext", "Target.createTarget":
		return checkContextParams(method, raw, why)
	case "Target.exposeDevToolsProtocol":
		return refused("Pages do not get the protocol in Cove: "+why+".", "Send the commands yourself.")
	case "Target.setRemoteLocations":
		return refused("The browser looks for no other browsers in Cove: "+why+".", "Connect to them yourself.")
	case "Target.sendMessageToTarget":
		return checkInner(files, raw, depth)
	}
	if strings.HasPrefix(method, "PWA.") {
		return refused("Programs do not install web apps in Cove: the browser would give them files of this computer.",
			"Open the app's address in a page instead.")
	}
	if strings.HasPrefix(method, "Extensions.") {
		return refused("Programs do not install extensions in Cove: an extension can change the proxy, and "+why+".",
			"Ask the user to add it: cove extension add FILE PROFILE")
	}

	return nil
}

// checkContextParams refuses a browser context with a proxy of its own, and a page that nobody sees.
func checkContextParams(method string, raw json.RawMessage, why string) error {
	params, err := cdp.Fields(raw)
	if err != nil {
		return Unreadable(method, err)
	}

	for _, name := range [...]string{"proxyServer", "proxyBypassList"} {
		if _, there := params[name]; there {
			return refused("A browser context cannot have a "+name+" of its own in Cove: "+why+".",
				"Leave it out, and set the proxy of the profile instead: cove profile edit ID --proxy ADDRESS")
		}
	}
	if hidden, there := params["hidden"]; there && string(hidden) != "false" {
		return refused("There are no hidden pages in Cove: "+why+".",
			"Leave hidden out, and set background to true instead.")
	}

	return nil
}

// checkInner checks the command inside a Target.sendMessageToTarget.
func checkInner(files *protect.Files, raw json.RawMessage, depth int) error {
	unread := refused("The message inside Target.sendMessageToTarget cannot be read.",
		"Attach with flatten: true and send the command itself.")
	params, err := cdp.Fields(raw)
	if err != nil || depth > 3 {
		return unread
	}
	var text string
	if json.Unmarshal(params["message"], &text) != nil {
		return unread
	}
	msg, err := cdp.ParseClient([]byte(text))
	if err != nil {
		return unread
	}

	return check(files, msg.Method(), slices.Clone(msg.Params()), depth+1)
}

// checkFileNames refuses a command that names a protected file or folder of this computer.
func checkFileNames(files *protect.Files, method string, raw json.RawMessage) error {
	var checkNames func(*protect.Files, map[string]json.RawMessage) error
	switch method {
	case "DOM.setFileInputFiles", "Page.handleFileChooser":
		checkNames = checkFiles
	case "Input.dispatchDragEvent":
		checkNames = checkDraggedFiles
	case "Browser.setDownloadBehavior", "Page.setDownloadBehavior":
		checkNames = checkDownloadFolder
	case "Page.navigate", "Target.createTarget":
		checkNames = checkFileAddress
	default:
		return nil
	}

	params, err := cdp.Fields(raw)
	if err != nil {
		return Unreadable(method, err)
	}

	return checkNames(files, params)
}

func checkFiles(files *protect.Files, params map[string]json.RawMessage) error {
	names, err := FileNames(params["files"])
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := files.Literal(name); err != nil {
			return err
		}
	}

	return nil
}

// FileNames reads a list of file names. A missing list is an empty one.
func FileNames(raw json.RawMessage) (names []string, err error) {
	if len(raw) > 0 && json.Unmarshal(raw, &names) != nil {
		return nil, refused("The list of files cannot be read.", "Give a list of whole paths.")
	}

	return names, nil
}

func checkDraggedFiles(files *protect.Files, params map[string]json.RawMessage) error {
	if len(params["data"]) == 0 {
		return nil
	}
	data, err := cdp.Fields(params["data"])
	if err != nil {
		return Unreadable("Input.dispatchDragEvent", err)
	}

	return checkFiles(files, data)
}

func checkDownloadFolder(files *protect.Files, params map[string]json.RawMessage) error {
	raw, there := params["downloadPath"]
	if !there {
		return nil
	}
	var dir string
	if json.Unmarshal(raw, &dir) != nil {
		return refused("The folder for downloads cannot be read.", "Give its whole path.")
	}
	if dir == "" {
		return nil
	}

	if err := files.Literal(dir); err != nil {
		return err
	}

	return files.CheckFolder(dir)
}

func checkFileAddress(files *protect.Files, params map[string]json.RawMessage) error {
	var address string
	_ = json.Unmarshal(params["url"], &address) // the browser refuses an address that is no text

	return files.CheckURL(address)
}

// refused returns the fault for a forbidden command.
func refused(text, hint string) *fault.Error { return fault.New(fault.CodePolicy, text, hint) }

// Unreadable returns the fault for a command whose parameters two parsers could read differently.
func Unreadable(method string, err error) error {
	return refused("The parameters of "+method+" were not passed on: "+err.Error()+".",
		"Write each parameter once, with plain keys.")
}
