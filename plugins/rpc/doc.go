// Package rpc carries the sink seam over gRPC, in both directions.
//
// Register serves any sinks.Sink as SinkService and PluginService. Connect gives the host a sinks.Sink that stands for
// one served elsewhere; the router cannot tell it from one in its own process. Neither side knows how the connection
// came to be: plugins/launch makes it from a process, tests make it in memory.
//
// The contract itself is proto/agyreader/plugin/v1/plugin.proto. Limits of memory: the host holds at most about
// 1 MiB of events on their way and 2 MiB of artifacts not yet written, besides the flow-control windows of gRPC; a
// served sink holds one event, four messages, and 256 KiB for each artifact part that is open. Buffers are used again as soon
// as gRPC has serialized a message, so connections must carry no stats handler that looks at messages later.
package rpc
