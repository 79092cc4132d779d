/** What a worker is doing, as the one byte it leaves behind when it is killed. */
export const IDLE = 0x30;
export const WAITING = 0x31;
export const IN_TRANSACTION = 0x32;
