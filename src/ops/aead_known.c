/* Published answers of the AEADs. Each vector stands here once and fills a row of two tables. */
#include "ops/aead_known.h"

/* X(source, key, nonce, aad, plaintext, ciphertext, tag) */
#define AES_256_GCM_VECTORS(X)                                                                               \
    X("GCM specification (McGrew and Viega), test case 13",                                                  \
      "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "",    \
      "", "", "530f8afbc74536b9a963b4f1c4cb738b")                                                            \
    X("GCM specification (McGrew and Viega), test case 14",                                                  \
      "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "",    \
      "00000000000000000000000000000000", "cea7403d4d606b6e074ec5d3baf39d18",                                \
      "d0d1c8a799996bf0265b98b5d48ab919")                                                                    \
    X("GCM specification (McGrew and Viega), test case 15",                                                  \
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", "",    \
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"                                     \
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",                                    \
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"                                     \
      "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",                                    \
      "b094dac5d93471bdec1a502270e3cc6c")                                                                    \
    X("GCM specification (McGrew and Viega), test case 16",                                                  \
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",        \
      "feedfacedeadbeeffeedfacedeadbeefabaddad2",                                                            \
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"                                     \
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",                                            \
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"                                     \
      "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",                                            \
      "76fc6ece0f4e1768cddf8853bb2d551b")                                                                    \
    X("Wycheproof aes_gcm_test.json, tcId 94",                                                               \
      "cc56b680552eb75008f5484b4cb803fa5063ebd6eab91f6ab6aef4916a766273", "99e23ec48985bccdeeab60f1", "",    \
      "2a", "06", "633c1e9703ef744ffffb40edf9d14355")                                                        \
    X("Wycheproof aes_gcm_test.json, tcId 96",                                                               \
      "67119627bd988eda906219e08c0d0d779a07d208ce8a4fe0709af755eeec6dcb", "68ab7fdbf61901dad461d23c", "",    \
      "51f8c1f731ea14acdb210a6d973e07", "43fc101bff4b32bfadd3daf57a590e",                                    \
      "ec04aacb7148a8b8be44cb7eaf4efa69")                                                                    \
    X("Wycheproof aes_gcm_test.json, tcId 98",                                                               \
      "3b2458d8176e1621c0cc24c0c0e24c1e80d72f7ee9149a4b166176629616d011", "45aaa3e5d16d2d42dc03445d", "",    \
      "3ff1514b1c503915918f0c0c31094a6e1f", "73a6b6f45f6ccc5131e07f2caa1f2e2f56",                            \
      "2d7379ec1db5952d4e95d30c340b1b1d")                                                                    \
    X("Wycheproof aes_gcm_test.json, tcId 109",                                                              \
      "7f7c5804a680f61924966725dba2a80d85267c2e03c7c234b045b24ec8e23528", "2d9bf8b636f337d265b0904c", "",    \
      "e2f85fb176840c38345da0f0f8db6cdbc45a123165f244ff5389fe65bf341fa1"                                     \
      "31130751b5c739a9931d5a57b141dc7b5b0c5a2ca07331c2dc04b2657b028987"                                     \
      "8dea0ef7d5601465b78a65795f0f3181304e58a261feb1d394f3c33cabae1899"                                     \
      "41755d7654bb7bef08c31bd2c5ce1203eebc015ae040da2a851c2ba3c62e6993"                                     \
      "56",                                                                                                  \
      "d7380d10b22c3ae584531e9e4ee73d387f69dbbb3d3d9fdb4971ed2750b31913"                                     \
      "f79e4c00cf1b76933bbb75d39d8a6429a2528e9bd60e65fa6ffff9e01a8758e7"                                     \
      "b58409fa3f370cc32a63aa60a54c36d733e8f6dfccd5c3120d05c6e33140c005"                                     \
      "62865532b2c689de98769d3386e7a3ae679e404e062536ca046261211a426fb5"                                     \
      "86",                                                                                                  \
      "753f6c57c0cc2a075e68d082f6e83590")                                                                    \
    X("Wycheproof aes_gcm_test.json, tcId 118",                                                              \
      "52350da5a572911ee0e0fcedb115af6f4570fbf9c74a11bc184444d6a621d60f", "d68ad045c1b9c2923cf5404c",        \
      "03a94b3841292d9bbf72f413c09167c54ee10537c049afe2bbcec43b18f3890b"                                     \
      "2fcdd3bb31e6d709274e199c0c4648eb3d8b38e0c1bf7f309443bef6937cde41"                                     \
      "23",                                                                                                  \
      "4e6e6dad2c16cfc6e7cac03636a4a6d88bd6a13e", "c7764411be13cfeaaece761bd3bb13552f088048",                \
      "bcc2544e79f34ea1076a12b76441d6fa")

#define CHACHA20_POLY1305_VECTORS(X)                                                                         \
    X("RFC 8439, section 2.8.2", "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",         \
      "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",                                                \
      "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"                                     \
      "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"                                     \
      "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"                                     \
      "637265656e20776f756c642062652069742e",                                                                \
      "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"                                     \
      "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"                                     \
      "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"                                     \
      "3ff4def08e4b7a9de576d26586cec64b6116",                                                                \
      "1ae10b594f09e26a7e902ecbd0600691")                                                                    \
    X("RFC 8439, appendix A.5", "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",          \
      "000000000102030405060708", "f33388860000000000004e91",                                                \
      "496e7465726e65742d4472616674732061726520647261667420646f63756d65"                                     \
      "6e74732076616c696420666f722061206d6178696d756d206f6620736978206d"                                     \
      "6f6e74687320616e64206d617920626520757064617465642c207265706c6163"                                     \
      "65642c206f72206f62736f6c65746564206279206f7468657220646f63756d65"                                     \
      "6e747320617420616e792074696d652e20497420697320696e617070726f7072"                                     \
      "6961746520746f2075736520496e7465726e65742d4472616674732061732072"                                     \
      "65666572656e6365206d6174657269616c206f7220746f206369746520746865"                                     \
      "6d206f74686572207468616e206173202fe2809c776f726b20696e2070726f67"                                     \
      "726573732e2fe2809d",                                                                                  \
      "64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb2"                                     \
      "4c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f355894cf"                                     \
      "332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c855"                                     \
      "9797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4"                                     \
      "b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523e"                                     \
      "af4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a"                                     \
      "0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a10"                                     \
      "49e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29"                                     \
      "a6ad5cb4022b02709b",                                                                                  \
      "eead9d67890cbb22392336fea1851f38")                                                                    \
    X("Wycheproof chacha20_poly1305_test.json, tcId 3",                                                      \
      "7a4cd759172e02eb204db2c3f5c746227df584fc1345196391dbb9577a250742", "a92ef0ac991dd516a3c6f689",        \
      "bd506764f2d2c410", "", "", "906fa6284b52f87b7359cbaa7563c709")                                        \
    X("Wycheproof chacha20_poly1305_test.json, tcId 4",                                                      \
      "cc56b680552eb75008f5484b4cb803fa5063ebd6eab91f6ab6aef4916a766273", "99e23ec48985bccdeeab60f1", "",    \
      "2a", "3a", "cac27dec0968801e9f6eded69d807522")                                                        \
    X("Wycheproof chacha20_poly1305_test.json, tcId 32",                                                     \
      "67119627bd988eda906219e08c0d0d779a07d208ce8a4fe0709af755eeec6dcb", "68ab7fdbf61901dad461d23c", "",    \
      "51f8c1f731ea14acdb210a6d973e07", "0b29638e1fbdd6df53970be2210042",                                    \
      "2a9134087d67a46e79178d0a93f5e1d2")                                                                    \
    X("Wycheproof chacha20_poly1305_test.json, tcId 34",                                                     \
      "59d4eafb4de0cfc7d3db99a8f54b15d7b39f0acc8da69763b019c1699f87674a", "2fcb1b38a99e71b84740ad9b", "",    \
      "549b365af913f3b081131ccb6b825588", "e9110e9f56ab3ca483500ceabab67a13",                                \
      "836ccabf15a6a22a51c1071cfa68fa0c")                                                                    \
    X("Wycheproof chacha20_poly1305_test.json, tcId 37",                                                     \
      "f60c6a1b625725f76c7037b48fe3577fa7f7b87b1bd5a982176d182306ffb870", "f0384fb876121410633d993d",        \
      "9aaf299eeea78f79", "63858ca3e2ce69887b578a3c167b421c9c", "35766488d2bc7c2b8d17cbbb9abfad9e6d",        \
      "1f391e657b2738dda08448cba2811ceb")                                                                    \
    X("Wycheproof chacha20_poly1305_test.json, tcId 73",                                                     \
      "97d635c4f47574d9998a90875da1d3a284b755b2d39297a5725235190e10a97e", "d31c21aba175b70de4ebb19c",        \
      "7193f623663321a2",                                                                                    \
      "94ee166d6d6ecf8832437136b4ae805d428864359586d9193a25016293edba44"                                     \
      "3c58e07e7b7195ec5bd84582a9d56c8d4a108c7d7ce34e6c6f8ea1bec0567317",                                    \
      "5fbbdecc34be201614f636031eeb42f1cace3c79a12cffd871ee8e73820c8297"                                     \
      "49f1abb4294367849fb6c2aa56bda8a3078f723d7c1c852024b017b58973fb1e",                                    \
      "09263da7b4cb921452f97dca40f580ec")

#define ENCRYPT_ROW(source_, key_, nonce_, aad_, plaintext_, ciphertext_, tag_)                              \
    {.source = source_,                                                                                      \
     .key = key_,                                                                                            \
     .nonce = nonce_,                                                                                        \
     .aad = aad_,                                                                                            \
     .msg = plaintext_,                                                                                      \
     .aux = "",                                                                                              \
     .out = ciphertext_ tag_},

#define DECRYPT_ROW(source_, key_, nonce_, aad_, plaintext_, ciphertext_, tag_)                              \
    {.source = source_,                                                                                      \
     .key = key_,                                                                                            \
     .nonce = nonce_,                                                                                        \
     .aad = aad_,                                                                                            \
     .msg = ciphertext_,                                                                                     \
     .aux = tag_,                                                                                            \
     .out = plaintext_},

/* A count that differs from the macro of the header would leave rows of NULL or cut some off. */
#define ONE(...) +1
_Static_assert(AES_256_GCM_VECTORS(ONE) == CB_KNOWN_AES_256_GCM_N, "count in aead_known.h");
_Static_assert(CHACHA20_POLY1305_VECTORS(ONE) == CB_KNOWN_CHACHA20_POLY1305_N, "count in aead_known.h");

const cb_known_answer cb_known_aes_256_gcm_encrypt[CB_KNOWN_AES_256_GCM_N] = {
    AES_256_GCM_VECTORS(ENCRYPT_ROW)};
const cb_known_answer cb_known_aes_256_gcm_decrypt[CB_KNOWN_AES_256_GCM_N] = {
    AES_256_GCM_VECTORS(DECRYPT_ROW)};
const cb_known_answer cb_known_chacha20_poly1305_encrypt[CB_KNOWN_CHACHA20_POLY1305_N] = {
    CHACHA20_POLY1305_VECTORS(ENCRYPT_ROW)};
const cb_known_answer cb_known_chacha20_poly1305_decrypt[CB_KNOWN_CHACHA20_POLY1305_N] = {
    CHACHA20_POLY1305_VECTORS(DECRYPT_ROW)};
