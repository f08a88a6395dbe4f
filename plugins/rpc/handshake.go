package rpc

// How a host and a plugin process recognise each other before the first call. Host and kit use the same values; they
// never change within a wire major.
const (
	// WireMajor is the version of the package agyreader.plugin.v1, negotiated by go-plugin.
	WireMajor = 1
	// CookieKey and CookieValue tell a program that it was started as a plugin. This is no secret and no protection.
	CookieKey   = "AGY_READER_PLUGIN"
	CookieValue = "5c1e1d37b2a64a6f8e0f-transcript-plugin"
	// Backend is the one name under which a plugin serves its services in go-plugin's set.
	Backend = "backend"
	// HostStream is the method whose end tells a plugin that its host is gone.
	HostStream = "/plugin.GRPCBroker/StartStream"
)
