/*
 * The digest of the plugin and of the configuration files, as a part of the program: ccache, which
 * knows a compiler by its file, sees another compiler when the plugin is another one. Nobody reads
 * it. Made by the build (CMakeLists.txt); tested by tests/install/ccache_test.py.
 */
        .section .rodata.nopal_plugin_digest,"a",@progbits
        .incbin NOPAL_PLUGIN_DIGEST
        .section .note.GNU-stack,"",@progbits
